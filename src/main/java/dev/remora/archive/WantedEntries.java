package dev.remora.archive;

import dev.remora.glob.DoubleStarPattern;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What of a folder is packed for somebody who sees only part of it: no folder is entered in which nothing can be
/// wanted, and where every pattern spells out the next name, only these names are looked up. So a part of a large
/// folder costs what the part costs. What else is packed is for the [NarrowedSink] behind it to judge.
///
/// @param sent what is packed at all
public record WantedEntries(PackSelection sent, EntryFilter filter) implements PackSelection {
    @Override
    public boolean leavesOut(Bytes path) {
        return sent.leavesOut(path) || isHopeless(LexicalPath.parts(path));
    }

    @Override
    public boolean isOnlyStep(Bytes path) {
        return sent.isOnlyStep(path);
    }

    private boolean isHopeless(List<Bytes> parts) {
        return !parts.isEmpty()
                && !filter.isOnTheWay(new EntryPath(parts))
                && filter.patterns().stream().allMatch(pattern -> places(pattern, parts) == 0);
    }

    /// Zero also where the pattern has come to its end: what it takes lies at its end or below.
    private static long places(DoubleStarPattern pattern, List<Bytes> parts) {
        long places = pattern.start();
        for (Bytes part : parts) {
            places = pattern.after(places, part);
        }
        return places;
    }

    @Override
    public Optional<Set<Bytes>> onlyNames(Bytes folder) {
        List<Bytes> parts = folder.isEmpty() ? List.of() : LexicalPath.parts(folder);
        Set<Bytes> names = new HashSet<>();
        List<List<Bytes>> ways = Stream.concat(
                        filter.patterns().stream().map(DoubleStarPattern::way), Stream.of(filter.application()))
                .toList();
        for (int i = 0; i < ways.size(); i++) {
            List<Bytes> way = ways.get(i);
            boolean along =
                    way.size() >= parts.size() && way.subList(0, parts.size()).equals(parts);
            if (along && way.size() > parts.size()) {
                names.add(way.get(parts.size()));
            } else if (i < filter.patterns().size() && places(filter.patterns().get(i), parts) != 0) {
                return Optional.empty();
            }
        }
        return Optional.of(names);
    }
}
