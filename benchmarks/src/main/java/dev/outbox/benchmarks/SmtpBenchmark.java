package dev.outbox.benchmarks;

import dev.outbox.smtp.SmtpRelay;
import dev.outbox.smtp.SmtpTransport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Compares this library's SMTP transport with plain angus and with a bare socket, all to the same
 * sink in one run. Prints medians as a Markdown table.
 *
 * <p>Arguments: seconds of each measurement (default 2), rounds (default 5), connections (default
 * {@code 1,2,4,8}).
 */
public final class SmtpBenchmark {

  private static final String OURS = "outbox-smtp, composing each";
  private static final String ANGUS = "plain angus, fresh `MimeMessage` each";
  private static final String FLOOR = "raw pipelined socket, bytes built once";

  /** Until everything is compiled, which with few cores takes its time. */
  private static final Duration WARM_UP = Duration.ofSeconds(10);

  private SmtpBenchmark() {}

  /** Runs the comparison. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Duration time = Duration.ofMillis((long) (1000 * Double.parseDouble(arg(args, 0, "2"))));
    int rounds = Integer.parseInt(arg(args, 1, "5"));
    int[] connections =
        Arrays.stream(arg(args, 2, "1,2,4,8").split(",")).mapToInt(Integer::parseInt).toArray();
    try (SinkProcess sink = SinkProcess.start()) {
      print(measured(sink.port(), time, rounds, connections), connections);
    }
  }

  private static Map<String, double[][]> measured(
      int port, Duration time, int rounds, int[] connections)
      throws IOException, InterruptedException {
    SmtpTransport transport =
        SmtpTransport.over(
            SmtpRelay.unprotectedPlaintext("localhost", port)
                .helloName("localhost")
                .limits(
                    new SmtpRelay.Limits(16, 1_000_000, Integer.MAX_VALUE, Duration.ofMinutes(1))));
    Map<String, MailClient.Factory> senders = new LinkedHashMap<>();
    senders.put(OURS, () -> new OutboxMailClient(transport));
    senders.put(ANGUS, () -> new AngusMailClient(port));
    senders.put(
        FLOOR, () -> new RawSocketMailClient(port, transport.compose(SampleMail.message())));

    for (MailClient.Factory each : senders.values()) {
      Throughput.measure(each, 4, WARM_UP);
    }
    Map<String, double[][]> results = new LinkedHashMap<>();
    senders.keySet().forEach(name -> results.put(name, new double[connections.length][rounds]));
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < connections.length; i++) {
        for (String name : turned(new ArrayList<>(senders.keySet()), round)) {
          MailClient.Factory factory = Objects.requireNonNull(senders.get(name));
          of(results, name)[i][round] = Throughput.measure(factory, connections[i], time);
        }
      }
    }
    transport.close();
    return results;
  }

  /** Lets another one begin in each round, so that nobody always runs on the warmest machine. */
  private static List<String> turned(List<String> names, int by) {
    Collections.rotate(names, by);
    return names;
  }

  private static void print(Map<String, double[][]> results, int[] connections) {
    List<String> head = new ArrayList<>(List.of("emails/s, median"));
    Arrays.stream(connections)
        .forEach(each -> head.add(each == 1 ? "1 connection" : each + " connections"));
    MarkdownTable table = new MarkdownTable(head.toArray(String[]::new));
    results.forEach(
        (name, times) -> {
          List<String> cells = new ArrayList<>(List.of(name));
          Arrays.stream(times).forEach(each -> cells.add(number(median(each))));
          table.row(cells.toArray(String[]::new));
        });
    double[][] ours = of(results, OURS);
    table.row(ratios("ours / angus", ours, of(results, ANGUS)));
    table.row(ratios("ours / floor", ours, of(results, FLOOR)));
    System.out.println(table);
  }

  private static double[][] of(Map<String, double[][]> results, String name) {
    return Objects.requireNonNull(results.get(name));
  }

  private static String[] ratios(String name, double[][] ours, double[][] theirs) {
    List<String> cells = new ArrayList<>(List.of(name));
    for (int i = 0; i < ours.length; i++) {
      double[] each = new double[ours[i].length];
      for (int round = 0; round < each.length; round++) {
        each[round] = ours[i][round] / theirs[i][round];
      }
      cells.add("%.2f".formatted(median(each)));
    }
    return cells.toArray(String[]::new);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,d", Math.round(value));
  }

  private static String arg(String[] args, int index, String fallback) {
    return args.length > index ? args[index] : fallback;
  }
}
