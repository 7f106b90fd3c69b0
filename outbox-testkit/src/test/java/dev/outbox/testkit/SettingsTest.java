package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailLimits;
import dev.outbox.settings.CallbackSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.RetentionSettings;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A setting can be changed without naming the others. */
class SettingsTest {

  static Stream<Record> groups() {
    return Stream.of(RetentionSettings.DEFAULT, EmailLimits.DEFAULT);
  }

  @ParameterizedTest
  @MethodSource("groups")
  void everySettingHasAMethodThatChangesItAlone(Record defaults) throws Exception {
    for (RecordComponent changed : defaults.getClass().getRecordComponents()) {
      Method wither = defaults.getClass().getMethod(changed.getName(), changed.getType());
      Object value = another(changed.getType());
      checkChanged(defaults, wither.invoke(defaults, value), changed.getName(), value);
    }
  }

  @ParameterizedTest
  @MethodSource("processorSettings")
  void aSettingOfTheProcessorIsChangedAlone(ProcessingSettings changed, String name, Object value)
      throws Exception {
    checkChanged(ProcessingSettings.DEFAULT, changed, name, value);
  }

  static Stream<Object[]> processorSettings() {
    ProcessingSettings settings = ProcessingSettings.DEFAULT;
    Duration time = Duration.ofSeconds(77);
    return Stream.of(
        new Object[] {settings.workers(77), "workers", 77},
        new Object[] {settings.callbackWorkers(77), "callbackWorkers", 77},
        new Object[] {settings.pollInterval(time), "pollInterval", time},
        new Object[] {settings.stageTimeout(time), "stageTimeout", time},
        new Object[] {settings.shutdownTimeout(time), "shutdownTimeout", time},
        new Object[] {settings.rollingUpgradePeriod(time), "rollingUpgradePeriod", time});
  }

  @ParameterizedTest
  @MethodSource("callbackPolicies")
  void retriesAndRoundsOfCallbacksAreSetInPairs(
      CallbackSettings changed, CallbackSettings expected) {
    assertThat(changed).isEqualTo(expected);
  }

  static Stream<Object[]> callbackPolicies() {
    CallbackSettings policy = CallbackSettings.DEFAULT;
    Duration time = Duration.ofSeconds(77);
    return Stream.of(
        new Object[] {
          policy.retries(7, time),
          new CallbackSettings(7, time, policy.rounds(), policy.roundInterval())
        },
        new Object[] {
          policy.rounds(7, time),
          new CallbackSettings(policy.maxRetries(), policy.retryInterval(), 7, time)
        });
  }

  private static void checkChanged(Record before, Object after, String name, Object value)
      throws Exception {
    for (RecordComponent each : before.getClass().getRecordComponents()) {
      assertThat(each.getAccessor().invoke(after))
          .as("%s after a change of %s", each.getName(), name)
          .isEqualTo(each.getName().equals(name) ? value : each.getAccessor().invoke(before));
    }
    assertThat(Arrays.stream(before.getClass().getRecordComponents()))
        .anyMatch(each -> each.getName().equals(name));
  }

  private static Object another(Class<?> type) {
    if (type == int.class) {
      return 77;
    }
    return type == long.class ? (Object) 77L : Duration.ofDays(7);
  }
}
