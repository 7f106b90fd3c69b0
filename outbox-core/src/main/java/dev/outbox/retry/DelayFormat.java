package dev.outbox.retry;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A wait as text: a whole number and a unit. */
final class DelayFormat {

  static final Duration LONGEST = Duration.ofDays(365);

  private static final Pattern FORM = Pattern.compile("([0-9]{1,11})(ms|s|m|h|d)");

  private DelayFormat() {}

  /** Returns null if the text is no delay, or one that is zero or too long. */
  static @Nullable Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    Unit unit = Unit.valueOf(matcher.group(2));
    long number = Long.parseLong(matcher.group(1));
    if (number == 0 || number > LONGEST.toMillis() / unit.millis) {
      return null;
    }
    return Duration.ofMillis(number * unit.millis);
  }

  /** Returns the text in the largest unit that shows it exactly. */
  static String of(Duration delay) {
    long millis = delay.toMillis();
    Unit largest = Unit.ms;
    for (Unit unit : Unit.values()) {
      if (millis % unit.millis == 0) {
        largest = unit;
      }
    }
    return millis / largest.millis + largest.name();
  }

  private enum Unit {
    ms(1),
    s(1000),
    m(60_000),
    h(3_600_000),
    d(86_400_000);

    final long millis;

    Unit(long millis) {
      this.millis = millis;
    }
  }
}
