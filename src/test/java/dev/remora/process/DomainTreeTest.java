package dev.remora.process;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class DomainTreeTest implements ProcessTreeContract {
    private static CommandRunner runner;

    @BeforeAll
    static void open() {
        runner = Shell.runner(ProcessSettings.Containment.BEST);
    }

    @AfterAll
    static void close() {
        runner.close();
    }

    @Override
    public CommandRunner runner() {
        return runner;
    }
}
