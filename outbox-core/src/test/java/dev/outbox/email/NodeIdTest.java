package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeIdTest {

  @Test
  void everyIncarnationOfANameIsAnotherNode() {
    assertThat(Stream.generate(() -> NodeId.incarnate("web-1")).limit(1_000))
        .doesNotHaveDuplicates()
        .allSatisfy(node -> assertThat(node.value()).matches("web-1~[0-9a-f]{16}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "web_1.example.com:8080", "0123456789012345678901234567890123456789"})
  void aHostNameIsAName(String name) {
    NodeId node = NodeId.incarnate(name);

    assertThat(node).hasToString(node.value()).isEqualTo(new NodeId(node.value()));
    assertThat(node.value()).startsWith(name + "~");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a b",
        "a~b",
        "a\n",
        "\u00e4",
        "01234567890123456789012345678901234567890"
      })
  void anythingElseIsNot(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NodeId.incarnate(name))
        .withMessageStartingWith("node: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "web-1",
        "web-1~",
        "web-1~123",
        "web-1~0123456789ABCDEF",
        "web-1~0123456789abcdef0",
        "web-1~0123456789abcdef\n",
        "~0123456789abcdef"
      })
  void aNodeHasANameAndAnIncarnation(String value) {
    assertThatIllegalArgumentException().isThrownBy(() -> new NodeId(value));
  }
}
