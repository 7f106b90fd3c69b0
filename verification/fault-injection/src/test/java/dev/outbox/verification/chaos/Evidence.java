package dev.outbox.verification.chaos;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that the oracle looks at.
 *
 * @param times how long what takes
 * @param tables what the tables of each line say
 * @param journals what the producers wrote down
 * @param received what the relay took
 * @param calls what the receiver was told
 * @param faults what went wrong
 * @param stalls when the whole machine stood still
 * @param failedSends sends that ended with an error
 * @param poison emails that were made unreadable
 * @param logs the folder of all processes' logs
 * @param content the directory of large content
 * @param leaks what processes had left after closing
 */
record Evidence(
    Times times,
    Map<Line, Tables> tables,
    Map<Line, JournalRecord> journals,
    List<Reception> received,
    List<FaultyReceiver.Call> calls,
    List<Happening> faults,
    List<Stalls.Stall> stalls,
    List<FailedSends.FailedSend> failedSends,
    Set<String> poison,
    Path logs,
    List<String> content,
    List<String> leaks) {

  Tables tables(Line line) {
    return tables.getOrDefault(line, new Tables(List.of(), Map.of(), Map.of()));
  }

  JournalRecord journal(Line line) {
    return journals.getOrDefault(line, new JournalRecord());
  }
}
