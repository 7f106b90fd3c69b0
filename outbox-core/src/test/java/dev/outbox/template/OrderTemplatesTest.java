package dev.outbox.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.TemplateData;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files in {@code src/test/resources/mail}, as a host would use them. */
class OrderTemplatesTest {

  private static final Templates MAIL = Templates.classpath("mail");

  private record Customer(String name) {}

  private record Item(String name, BigDecimal price) {}

  private record Order(
      long id, Customer customer, List<Item> items, Optional<String> coupon, String shop) {}

  private static final TemplateData ORDER =
      TemplateData.of(
          new Order(
              42,
              new Customer("Ada & <Co>"),
              List.of(
                  new Item("Tea", new BigDecimal("3.10")),
                  new Item("Piano", new BigDecimal("1E+4"))),
              Optional.empty(),
              "Bob's"));

  private static RenderedTemplate order(@Nullable Locale locale) {
    return MAIL.render("order-confirmed", locale, ORDER);
  }

  @Test
  void htmlIsEscapedAndSubjectAndTextAreNot() {
    RenderedTemplate rendered = order(null);

    assertThat(rendered.subject()).isEqualTo("Order 42 for Ada & <Co>");
    assertThat(rendered.html()).contains("<p>Dear Ada &amp; &lt;Co&gt;,</p>");
    assertThat(rendered.text()).startsWith("Dear Ada & <Co>,\n");
  }

  @Test
  void aLayoutTakesTheTemplatesBlocks() {
    assertThat(order(null).html())
        .startsWith("<html><head><title>Order 42</title></head><body>")
        .contains("<li>Tea: 3.10,</li>\n<li>Piano: 10000</li>\n</ul>")
        .contains("<p>No coupon</p>")
        .contains("<small>Bob&#39;s</small>")
        .contains("\n</body></html>\n");
  }

  @Test
  void aPartialIsOfTheSameKind() {
    assertThat(order(null).text())
        .isEqualTo("Dear Ada & <Co>,\n- Tea: 3.10\n- Piano: 10000\n-- Bob's\n");
  }

  @Test
  void theLocaleFallsBackPerPart() {
    RenderedTemplate rendered = order(Locale.ITALY);

    assertThat(rendered.subject()).isEqualTo("Ordine 42 per Ada & <Co>");
    assertThat(rendered.html()).contains("<p>Dear ").contains("<small>Bob&#39;s, ciao</small>");
    assertThat(rendered.text()).isEqualTo(order(null).text());
    assertThat(order(Locale.ITALIAN)).isEqualTo(rendered);
    assertThat(order(Locale.forLanguageTag("it-IT-u-ca-buddhist"))).isEqualTo(rendered);
  }

  @Test
  void anUnknownLocaleGetsThePlainFiles() {
    assertThat(order(Locale.GERMANY)).isEqualTo(order(null));
    assertThat(order(Locale.ROOT)).isEqualTo(order(null));
    assertThat(order(Locale.forLanguageTag("zh-Hant-TW"))).isEqualTo(order(null));
  }

  @Test
  void namesAreWhatCanBeSent() {
    assertThat(MAIL.names())
        .containsExactly("footer", "layout", "order-confirmed", "orders/shipped");
    assertThat(MAIL.contains("orders/shipped")).isTrue();
    assertThatThrownBy(() -> MAIL.names().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aNameWithALeadingUnderscoreCannotBeSent() {
    assertThat(MAIL.contains("_signature")).isFalse();
    assertThat(MAIL.contains("orders/_signed")).isFalse();
  }

  @Test
  void aTemplateSaysWhetherItHasASubject() {
    assertThat(MAIL.hasSubject("order-confirmed")).isTrue();
    assertThat(MAIL.hasSubject("orders/shipped")).isFalse();
    assertThat(MAIL.render("orders/shipped", null, ORDER))
        .isEqualTo(new RenderedTemplate(null, null, "Shipped: 42\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../mail/order-confirmed",
        "orders/../order-confirmed",
        "./order-confirmed",
        "/order-confirmed",
        "orders\\shipped",
        "order-confirmed.it",
        "order-confirmed.html.mustache",
        "",
        "Order 42 for Ada"
      })
  void aNameIsNeverAPath(String name) {
    assertThat(MAIL.contains(name)).isFalse();
    assertThatThrownBy(() -> MAIL.render(name, null, ORDER))
        .isInstanceOf(TemplateNotFoundException.class);
    assertThatThrownBy(() -> MAIL.hasSubject(name)).isInstanceOf(TemplateNotFoundException.class);
  }

  @Test
  void anUnknownNameIsShownOnlyIfItIsOne() {
    assertThatThrownBy(() -> MAIL.render("nope", null, ORDER)).hasMessage("unknown template: nope");
    assertThatThrownBy(() -> MAIL.render("Order 42 for Ada", null, ORDER))
        .hasMessage("unknown template: its name is not of the form orders/order-confirmed");
  }

  @Test
  void neitherTemplatesNorResultsShowContent() {
    assertThat(order(null).toString()).doesNotContain("Ada").startsWith("Rendered[subject=23 char");
    assertThat(MAIL.toString()).startsWith("Templates[footer, layout");
  }

  @Test
  void aResultCannotBeWithoutBodyOrWithABrokenSubject() {
    assertThatThrownBy(() -> new RenderedTemplate("s", null, null))
        .hasMessage("neither html nor text");
    assertThatThrownBy(() -> new RenderedTemplate("a\nBcc: x", "h", null))
        .hasMessage("subject has a line break or NUL");
  }
}
