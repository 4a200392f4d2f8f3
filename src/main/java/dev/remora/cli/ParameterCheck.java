package dev.remora.cli;

import dev.remora.application.PluginParameter;
import dev.remora.fault.Proposal;
import dev.remora.plugin.ParameterAnnouncement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `params --check`: what is wrong between what a plugin announces and what an Application gives.
///
/// @param findings a sentence each
/// @param notes what is no mistake and may surprise
record ParameterCheck(List<Finding> findings, List<String> notes) {
    /// One mistake.
    ///
    /// @param rule its short name
    /// @param parameter the one that it is about
    record Finding(String rule, String parameter, String message) {}

    ParameterCheck {
        findings = List.copyOf(findings);
        notes = List.copyOf(notes);
    }

    static ParameterCheck of(List<ParameterAnnouncement> announced, List<PluginParameter> given) {
        Checking checking = new Checking(announced);
        given.forEach(checking::given);
        checking.missing(given);
        return new ParameterCheck(checking.findings, checking.notes);
    }

    private static final class Checking {
        private final Map<String, ParameterAnnouncement> byName = new LinkedHashMap<>();
        private final List<Finding> findings = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private final Map<String, String> variables = new HashMap<>();

        Checking(List<ParameterAnnouncement> announced) {
            for (ParameterAnnouncement one : announced) {
                if (byName.putIfAbsent(one.name(), one) != null) {
                    notes.add(one.name() + " is announced twice; Argo CD's UI shows the first");
                }
            }
        }

        void given(PluginParameter parameter) {
            String name = parameter.name();
            ParameterAnnouncement announced = byName.get(name);
            if (announced == null) {
                find("unknown", name, name + " is not announced" + Proposal.question(name, byName.keySet()));
            } else {
                collection(parameter, announced);
            }
            String before = variables.put(parameter.variable(), name);
            if (before != null) {
                find(
                        "clash",
                        name,
                        name + " and " + before + " are both " + parameter.variable() + "; the last one wins");
            }
        }

        private void collection(PluginParameter parameter, ParameterAnnouncement announced) {
            String wanted = announced.collectionType().isEmpty() ? "string" : announced.collectionType();
            boolean there = switch (wanted) {
                case "array" -> parameter.array().isPresent();
                case "map" -> parameter.map().isPresent();
                default -> parameter.string().isPresent();
            };
            if (!there) {
                find(
                        "collection",
                        parameter.name(),
                        parameter.name() + " is announced as " + wanted + ", and the Application gives "
                                + kinds(parameter) + "; the plugin finds no variable where it looks");
            }
        }

        private static String kinds(PluginParameter parameter) {
            List<String> kinds = new ArrayList<>();
            parameter.string().ifPresent(value -> kinds.add("a string"));
            parameter.array().ifPresent(values -> kinds.add("an array"));
            parameter.map().ifPresent(values -> kinds.add("a map"));
            return kinds.isEmpty() ? "nothing" : String.join(" and ", kinds);
        }

        void missing(List<PluginParameter> given) {
            List<String> names = given.stream().map(PluginParameter::name).toList();
            for (ParameterAnnouncement one : byName.values()) {
                boolean standard = !one.string().isEmpty()
                        || !one.array().isEmpty()
                        || !one.map().isEmpty();
                if (names.contains(one.name())) {
                    continue;
                }
                if (one.required()) {
                    find(
                            standard ? "default" : "required",
                            one.name(),
                            one.name() + " is required and not given"
                                    + (standard ? "; Argo CD shows its default and never sends it" : ""));
                } else if (standard) {
                    notes.add(
                            one.name() + " has a default that Argo CD shows and never sends: the plugin's command must"
                                    + " know it");
                }
            }
        }

        private void find(String rule, String parameter, String message) {
            findings.add(new Finding(rule, parameter, message));
        }
    }
}
