package dev.outbox.benchmarks;

import dev.outbox.email.Address;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.Recipients;
import dev.outbox.template.RenderedTemplate;
import dev.outbox.template.Templates;
import dev.outbox.transport.RenderedMessage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The email that everybody sends in the end-to-end runs: a template with html and text. */
record SampleOrder(int id, String name, List<Item> items) {

  static final String TEMPLATE = "order";
  static final Templates TEMPLATES = Templates.classpath("mail");

  /** One line of an order. */
  record Item(int count, String what, BigDecimal price) {}

  static SampleOrder number(int id) {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      items.add(new Item(i % 3 + 1, "Analytical Engine, brass", new BigDecimal("1200.00")));
    }
    return new SampleOrder(id, "Ada", items);
  }

  static Email email(int id) {
    return Email.to("Ada Lovelace <" + SampleMail.TO + ">")
        .from("Shop <" + SampleMail.FROM + ">")
        .subject(SampleMail.SUBJECT)
        .template(TEMPLATE, number(id))
        .build();
  }

  static List<Email> emails(int from, int count) {
    List<Email> emails = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      emails.add(email(from + i));
    }
    return emails;
  }

  /** Returns one of them rendered, for those who send the same bytes without rendering. */
  static RenderedMessage message() {
    RenderedTemplate rendered =
        TEMPLATES.render(
            TEMPLATE, null, dev.outbox.email.TemplateData.of(SampleOrder.number(4711)));
    return new RenderedMessage(
        EmailId.next(),
        Instant.now(),
        new Address("Shop", "shop", "example.com"),
        Recipients.of(new Address("Ada Lovelace", "ada", "example.com")),
        List.of(),
        SampleMail.SUBJECT,
        rendered.html(),
        rendered.text(),
        List.of(),
        List.of());
  }
}
