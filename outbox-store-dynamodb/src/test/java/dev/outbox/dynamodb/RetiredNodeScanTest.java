package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetiredNodeScanTest {

  private static final int MANY = 10 * RetiredNodeScan.AT_ONCE;

  private final Set<NodeId> holders = new HashSet<>();
  private final List<NodeId> asked = new ArrayList<>();
  private final RetiredNodeScan nodes =
      new RetiredNodeScan(
          node -> {
            asked.add(node);
            return holders.contains(node);
          });
  private final Set<NodeId> retired =
      IntStream.range(0, MANY)
          .mapToObj(i -> NodeId.incarnate("n" + i))
          .collect(Collectors.toCollection(LinkedHashSet::new));

  @Test
  void allAreAskedAboutInTurnAFewAtATime() {
    for (int i = 0; i < MANY / RetiredNodeScan.AT_ONCE; i++) {
      assertThat(nodes.holding(retired)).isEmpty();
      assertThat(asked).hasSize((i + 1) * RetiredNodeScan.AT_ONCE);
    }
    assertThat(asked).containsExactlyElementsOf(retired);

    nodes.holding(retired);

    assertThat(asked.subList(MANY, asked.size()))
        .containsExactlyElementsOf(asked.subList(0, RetiredNodeScan.AT_ONCE));
  }

  /** Otherwise nobody would watch them for a whole lease, and take what they hold. */
  @Test
  void whoHoldsSomethingIsNamedEachTimeUntilItHoldsNothing() {
    NodeId last = List.copyOf(retired).get(MANY - 1);
    holders.add(last);
    for (int i = 1; i < MANY / RetiredNodeScan.AT_ONCE; i++) {
      assertThat(nodes.holding(retired)).isEmpty();
    }
    for (int i = 0; i < MANY; i++) {
      assertThat(nodes.holding(retired)).containsExactly(last);
    }

    holders.clear();

    assertThat(nodes.holding(retired)).isEmpty();
  }

  @Test
  void whoHasJustRetiredIsAskedAboutFirst() {
    for (int i = 0; i < MANY; i++) {
      nodes.holding(retired);
    }
    NodeId fresh = NodeId.incarnate("fresh");
    retired.add(fresh);
    holders.add(fresh);

    assertThat(nodes.holding(retired)).containsExactly(fresh);
  }

  @Test
  void whoBeatsAgainIsForgotten() {
    NodeId first = retired.iterator().next();
    holders.add(first);
    assertThat(nodes.holding(retired)).containsExactly(first);

    assertThat(nodes.holding(Set.of())).isEmpty();
    holders.clear();

    assertThat(nodes.holding(Set.of(first))).isEmpty();
  }
}
