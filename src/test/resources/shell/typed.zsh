# typed.zsh SETUP LINE...: an interactive zsh on a terminal of its own runs SETUP, is typed each LINE with a tab behind
# it, and shows the words that the line then has.
zmodload zsh/zpty
setup=$1; shift
zpty shell zsh -f -i
zpty -w shell "PS1= PS2= RPS1=; unsetopt zle_bracketed_paste; $setup; remora() { print -r -- \"<\${(j:|:)@}>\" }; print REA''DY"
zpty -r -m shell out '*READY*' || exit 1
for line in "$@"; do
  zpty -w -n shell "$line"$'\t\n'
  zpty -r -m shell out '*<*>*' || exit 1
  print -r -- "${${out##*<}%%>*}"
done
zpty -d shell
