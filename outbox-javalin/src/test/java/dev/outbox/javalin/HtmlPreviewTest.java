package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Attachment;
import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import dev.outbox.email.EmailId;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The preview of an email's html: every image, a bounded size, and no element that connects. */
class HtmlPreviewTest {

  private static final int MIB = 1 << 20;

  private final DevelopmentInbox inbox = new DevelopmentInbox();
  private final App app =
      App.with(
          builder -> builder.transport(inbox),
          p -> p.inbox(inbox).access(context -> AccessRole.ADMIN));

  @AfterEach
  void stop() {
    app.close();
  }

  @Test
  void anImageThatIsRepeatedThousandsOfTimesKeepsThePreviewSmall() {
    byte[] image = new byte[100_000];
    String html = "<p>Hello</p>" + "<img src=\"cid:logo\">".repeat(5_000);
    EmailId id = send(html, "logo", image);

    String shown = preview(id);

    long embedded = 4L * image.length / 3;
    assertThat((long) shown.length()).isLessThan(html.length() + 3 * embedded + 5 * MIB);
    int images = count(shown, "data:image/png;base64,");
    assertThat(images).isBetween(30, 40);
    assertThat(shown)
        .startsWith("<p>Hello</p><img src=\"data:image/png;base64,AAAA")
        .contains(5_000 - images + " repeated images are not shown");
  }

  @Test
  void aLargeImageIsShownThreeTimes() {
    EmailId id = send("<img src='cid:photo'>".repeat(3), "photo", new byte[5 * MIB]);

    String shown = preview(id);

    assertThat(count(shown, "data:image/png;base64,")).isEqualTo(3);
    assertThat(shown).doesNotContain("not shown", "cid:");
  }

  @Test
  void aSmallImageIsShownHoweverOftenANewsletterUsesIt() {
    EmailId id = send("<td background=cid:spacer.gif>".repeat(2_000), "spacer.gif", new byte[43]);

    String shown = preview(id);

    assertThat(count(shown, "data:image/png;base64,")).isEqualTo(2_000);
    assertThat(shown).doesNotContain("not shown");
  }

  @Test
  void everyUseOfAnImageIsFoundAndOtherTextIsLeftAlone() {
    byte[] logo = {1, 2, 3};
    byte[] wide = {4, 5, 6};
    EmailId id =
        app.outbox()
            .send(
                email(
                        "<img src=cid:logo><img src='CID:logo-wide@2x'>"
                            + "<p style=\"background:url(cid:logo)\">cid:other &amp; é 😀</p>")
                    .attach(Attachment.inline("logo", "logo.png", "image/png", logo))
                    .attach(Attachment.inline("logo-wide@2x", "wide.gif", "image/gif", wide))
                    .attach(Attachment.inline("other", "a.svg", "image/svg+xml", wide))
                    .build())
            .id();

    String one = "data:image/png;base64," + Base64.getEncoder().encodeToString(logo);
    String two = "data:image/gif;base64," + Base64.getEncoder().encodeToString(wide);
    assertThat(preview(id))
        .isEqualTo(
            "<img src=%s><img src='%s'><p style=\"background:url(%s)\">cid:other &amp; é 😀</p>"
                .formatted(one, two, one));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<link rel=preconnect href=//x.example>",
        "<LINK REL=dns-prefetch HREF=//x.example>",
        "<link/rel=preconnect/href=//x.example>",
        "<link\nrel=preconnect href=//x.example>",
        "<link\trel=preconnect href=//x.example>",
        "<link\frel=preconnect href=//x.example>",
        "<link\rrel=preconnect href=//x.example>",
        "<link>",
        "<svg><style><b><link rel=preconnect href=//x.example>",
        "<noscript><link rel=preconnect href=//x.example></noscript>",
        "<!--><link rel=preconnect href=//x.example>-->",
        "<p title='<link rel=preconnect href=//x.example>'>",
        "<iframe srcdoc='&lt;link rel=preconnect href=//x.example&gt;'></iframe>",
        "<IFrame/srcdoc='&lt;link rel=preconnect href=//x.example&gt;'></IFRAME>",
      })
  void noElementThatConnectsIsServed(String html) {
    EmailId id = app.outbox().send(email(html + "<b>linked</b>").build()).id();
    Answer stored = app.get("/api/emails/" + id + "/html").is(200);
    app.outbox().processDue();
    Answer caught = app.get("/api/inbox/1/html").is(200);

    for (Answer answer : new Answer[] {stored, caught}) {
      assertThat(answer.text())
          .doesNotContainPattern("(?i)</?(link|iframe)[\\s/>]")
          .endsWith("<b>linked</b>");
      assertThat(answer.header("X-DNS-Prefetch-Control")).isEqualTo("off");
    }
  }

  @Test
  void whatReplacesAnElementKeepsItsPlaceAndItsAttributes() {
    EmailId id =
        app.outbox()
            .send(email("<link rel=a><linked><iframe src=b>c</iframe><LINK\n>&lt;link>").build())
            .id();

    assertThat(preview(id))
        .isEqualTo("<basefont rel=a><linked><noembed src=b>c</noembed><basefont\n>&lt;link>");
  }

  private EmailId send(String html, String contentId, byte[] image) {
    return app.outbox()
        .send(
            email(html)
                .attach(Attachment.inline(contentId, "image.png", "image/png", image))
                .build())
        .id();
  }

  private static EmailBuilder email(String html) {
    return Email.to("ada@example.com").subject("Order 42").html(html);
  }

  private String preview(EmailId id) {
    return app.get("/api/emails/" + id + "/html").is(200).text();
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }
}
