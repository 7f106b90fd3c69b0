package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

  private static final String LABEL_63 = "a".repeat(63);
  private static final Address ADA = Address.parse("ada@example.com");

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u0001',
      value = {
        "ada@example.com => ada => example.com",
        "Ada.Lovelace+news@Example.COM => Ada.Lovelace+news => example.com",
        "o'neil#$&*-/?=^_`{}~@example.com => o'neil#$&*-/?=^_`{}~ => example.com",
        "bounce+ada=example.org@example.com => bounce+ada=example.org => example.com",
        "r&d/tea?@example.com => r&d/tea? => example.com",
        "a@b.c => a => b.c",
        "1@2.de => 1 => 2.de",
        "a-@ex-ample.com => a- => ex-ample.com",
        "ada@a.b.c.d.example.com => ada => a.b.c.d.example.com",
        "<ada@example.com> => ada => example.com",
        "ada@b\u00fccher.de => ada => xn--bcher-kva.de",
        "ada@B\u00dcCHER.de => ada => xn--bcher-kva.de",
        "ada@xn--bcher-kva.de => ada => xn--bcher-kva.de",
        "ada@\u65e5\u672c.jp => ada => xn--wgv71a.jp",
        "ada@example\u3002com => ada => example.com",
        "ada@\uff45xample.com => ada => example.com",
        "ada@xn--strae-oqa.de => ada => xn--strae-oqa.de",
        "zo\u00eb@example.com => zo\u00eb => example.com",
        "\u5f20\u4f1f@example.com => \u5f20\u4f1f => example.com",
      })
  void aPlainAddressIsReadAndItsDomainKeptInLowerCaseAscii(
      String text, String local, String domain) {
    Address address = Address.parse(text);

    assertThat(address.name()).isNull();
    assertThat(address.local()).isEqualTo(local);
    assertThat(address.domain()).isEqualTo(domain);
    assertThat(address.email()).isEqualTo(local + "@" + domain);
    assertThat(Address.parse(address.email())).isEqualTo(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "@",
        "ada",
        "ada.example.com",
        "@example.com",
        "ada@",
        "ada@@example.com",
        "ada@example@example.com",
        ".ada@example.com",
        "ada.@example.com",
        "a..da@example.com",
        "-ada@example.com",
        "a da@example.com",
        "ada @example.com",
        "a,b@example.com",
        "a;b@example.com",
        "a:b@example.com",
        "a(b)@example.com",
        "a[b]@example.com",
        "a\\b@example.com",
        "a\"b@example.com",
        "\"ada\"@example.com",
        "ada@example",
        "ada@localhost",
        "ada@.com",
        "ada@example.",
        "ada@example.com.",
        "ada@example.com..",
        "ada@example..com",
        "ada@-example.com",
        "ada@example-.com",
        "ada@exa_mple.com",
        "ada@exa mple.com",
        "ada@exa/mple.com",
        "ada@127.0.0.1",
        "ada@[127.0.0.1]",
        "ada@example.123",
        "ada@\u212b/.com",
        "ada@a\u2100b.com",
        "ada@a\u2024com",
        "ada\uff20example.com",
        "\u00a0@example.com",
        "a\u0301da@example.com",
        "a\u200bda@example.com",
        "a\u202eda@example.com",
        "\ud83d\ude00@example.com",
        "ada@\ud83d\ude00.com",
        "ada@=?utf-8?q?example.com?=",
        "ada@=?utf-8?q?example?=.com",
      })
  void whatRelaysOrLibrariesCouldStumbleOverIsNoAddress(String text) {
    assertThatThrownBy(() -> Address.parse("to[2]", text))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("to[2]: not a usable address: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "=?utf-8?q?a=40evil.com=3e?=@example.com",
        "a=?b@example.com",
        "|/bin/sh@example.com",
        "a|b@example.com",
        "/etc/passwd@example.com",
        "/dev/null@example.com",
        "ada%other.example@example.com",
        "other.example!ada@example.com",
        "a!b!ada@example.com",
      })
  void aMailboxThatServersTakeForSomethingElseIsReadFromAStoreAndNotAccepted(String text) {
    Address stored = Address.stored("to", text);

    assertThat(stored.email()).isEqualTo(text);
    assertThat(Address.stored("to", stored.format())).isEqualTo(stored);
    for (String given : List.of(text, "Ada <" + text + ">")) {
      refuses("to[2]", () -> Address.parse("to[2]", given));
    }
    refuses("address", () -> Address.parse(text));
    refuses("from", () -> email(stored, ADA, ADA, ADA, ADA));
    refuses("to[1]", () -> email(ADA, stored, ADA, ADA, ADA));
    refuses("cc[1]", () -> email(ADA, ADA, stored, ADA, ADA));
    refuses("bcc[1]", () -> email(ADA, ADA, ADA, stored, ADA));
    refuses("replyTo[1]", () -> email(ADA, ADA, ADA, ADA, stored));
  }

  private static Email email(Address from, Address to, Address cc, Address bcc, Address replyTo) {
    return new Email(
        from,
        new Recipients(List.of(ADA, to), List.of(ADA, cc), List.of(ADA, bcc)),
        List.of(ADA, replyTo),
        "Order 42",
        new Body.Inline(null, "Thank you."),
        List.of(),
        List.of(),
        new SendOptions(null, null, Set.of(), null, null, null, Priority.NORMAL));
  }

  private static void refuses(String field, ThrowingCallable made) {
    assertThatThrownBy(made)
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith(field + ": not a usable address: ")
        .hasMessageNotContainingAny("evil", "example", "ada", "bin", "passwd");
  }

  @Test
  void aNameMayLookLikeAnEncodedWord() {
    // It is encoded once more when the message is composed.
    assertThat(Address.parse("=?UTF-8?B?SGFja2Vk?= <ada@example.com>").name())
        .isEqualTo("=?UTF-8?B?SGFja2Vk?=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ada@stra\u00dfe.de",
        "ada@STRA\u1e9eE.de",
        "ada@\u03bc\u03ac\u03b3\u03bf\u03c2.gr",
        "ada@a\u200cb.com",
        "ada@a\u200db.com",
      })
  void aDomainThatTwoStandardsReadDifferentlyHasToBeWrittenInAscii(String text) {
    assertThatThrownBy(() -> Address.parse(text))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageContaining("xn--");
  }

  @Test
  void aLookAlikeOfMixedScriptsIsAnotherDomainThanWhatItLooksLike() {
    // the first letter of each is the Cyrillic a
    assertThat(Address.parse("ada@\u0430pple.com").domain()).isEqualTo("xn--pple-43d.com");
    assertThat(Address.parse("\u0430da@apple.com").canonical())
        .isNotEqualTo(Address.parse("ada@apple.com").canonical());
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0, 0x01, 0x07, 0x08, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9f, 0x2028,
        0x2029, 0xd800, 0xdbff, 0xdc00, 0xdfff
      })
  void aControlALineSeparatorOrHalfASurrogateIsRefusedWhereverItStands(int codePoint) {
    String bad = Character.toString(codePoint);
    String[] texts = {
      bad + "ada@example.com",
      "a" + bad + "da@example.com",
      "ada" + bad + "@example.com",
      "ada@" + bad + "example.com",
      "ada@exam" + bad + "ple.com",
      "ada@example.com" + bad,
      bad + "Ada <ada@example.com>",
      "A" + bad + "da <ada@example.com>",
      "Ada" + bad + "<ada@example.com>",
      "\"A" + bad + "da\" <ada@example.com>",
      "\"A\\" + bad + "da\" <ada@example.com>",
      "Ada <" + bad + "ada@example.com>",
      "Ada <ada@example.com" + bad + ">",
      "Ada <ada@example.com>" + bad,
      bad + "<ada@example.com>",
    };
    assertThat(texts)
        .allSatisfy(
            text ->
                assertThatThrownBy(() -> Address.parse("cc[0]", text))
                    .isInstanceOf(InvalidEmailException.class)
                    .hasMessageStartingWith("cc[0]: "));
    assertThatThrownBy(() -> new Address("A" + bad, "ada", "example.com"))
        .isInstanceOf(InvalidEmailException.class);
    assertThatThrownBy(() -> new Address(null, "a" + bad, "example.com"))
        .isInstanceOf(InvalidEmailException.class);
    assertThatThrownBy(() -> new Address(null, "ada", "exam" + bad + "ple.com"))
        .isInstanceOf(InvalidEmailException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u0001',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "Ada <ada@example.com> => Ada",
        "Ada Lovelace <ada@example.com> => Ada Lovelace",
        "Ada<ada@example.com> => Ada",
        "  Ada  <ada@example.com>   => Ada",
        "Dr. A. O'Neil-B\u00e9b\u00e9 <ada@example.com> => Dr. A. O'Neil-B\u00e9b\u00e9",
        "\u65e5\u672c \ud83d\ude00 <ada@example.com> => \u65e5\u672c \ud83d\ude00",
        "\"Ada\" <ada@example.com> => Ada",
        "\"Lovelace, Ada\" <ada@example.com> => Lovelace, Ada",
        "\" Ada \" <ada@example.com> =>  Ada ",
        "\"Ada \\\"the first\\\"\" <ada@example.com> => Ada \"the first\"",
        "\"a\\\\b\" <ada@example.com> => a\\b",
        "\"\\\\\" <ada@example.com> => \\",
        "\"\\A\" <ada@example.com> => A",
        "\"a <b@c.de>\" <ada@example.com> => a <b@c.de>",
        "\"a>\" <ada@example.com> => a>",
      })
  void aDisplayNameIsReadWithItsQuotesAndEscapesTakenOff(String text, String name) {
    assertThat(Address.parse(text)).isEqualTo(new Address(name, "ada", "example.com"));
  }

  @Test
  void anEmptyQuotedNameIsNoName() {
    assertThat(Address.parse("\"\" <ada@example.com>").name()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Ada <ada@example.com>, Bob <bob@example.com>",
        "ada@example.com, Bob <bob@example.com>",
        "ada@example.com; <bob@example.com>",
        "ada@example.com, bob@example.com",
        "ada@example.com bob@example.com",
        "<bob@example.com> <ada@example.com>",
        "\"Ada\" <bob@example.com> <ada@example.com>",
        "\"Ada\", \"Bob\" <ada@example.com>",
        "friends: Ada <ada@example.com>",
      })
  void aListIsRefusedInsteadOfReadAsItsLastAddress(String text) {
    assertThatThrownBy(() -> Address.parse(text)).isInstanceOf(InvalidEmailException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "ada@example.com, bob@example.com | several addresses",
        "ada@example.com; Bob <bob@example.com> | several addresses",
        "Ada <ada@example.com>, Bob <bob@example.com> | several addresses",
        "Ada <ada@example.com | a < without a > at the end",
        "Ada ada@example.com> | a > without a <",
        "Lovelace, Ada <ada@example.com> | in double quotes",
      })
  void aRefusalSaysWhatToDo(String text, String advice) {
    assertThatThrownBy(() -> Address.parse("to[0]", text))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("to[0]: not a usable address: ")
        .hasMessageContaining(advice)
        .hasMessageNotContainingAny("ada", "bob", "example", "Lovelace");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"Ada <ada@example.com>",
        "Ada\" <ada@example.com>",
        "\" <ada@example.com>",
        "\"Ada\\\" <ada@example.com>",
        "\"Ada\\",
        "\"A\"da\" <ada@example.com>",
        "\"Ada\"x <ada@example.com>",
        "\"  \" <ada@example.com>",
        "Lovelace, Ada <ada@example.com>",
        "Ada (home) <ada@example.com>",
        "Ada @ home <ada@example.com>",
        "A\\da <ada@example.com>",
        "[Ada] <ada@example.com>",
        "Ada <ada@example.com",
        "Ada ada@example.com>",
        "Ada <ada@example.com> x",
        "Ada <>",
        "Ada < ada@example.com>",
        "Ada <ada@example.com >",
        "Ada <@relay.example:ada@example.com>",
      })
  void aNameThatIsNotQuotedAsItShouldBeIsRefused(String text) {
    assertThatThrownBy(() -> Address.parse(text)).isInstanceOf(InvalidEmailException.class);
  }

  @Test
  void eachPartHasALongestLength() {
    String local64 = "a".repeat(64);
    assertThat(new Address(null, local64, "example.com").local()).hasSize(64);
    refuses(() -> new Address(null, local64 + "a", "example.com"));

    // counted in UTF-8, as SMTP does
    assertThat(new Address(null, "\u00eb".repeat(32), "example.com").local()).hasSize(32);
    refuses(() -> new Address(null, "\u00eb".repeat(33), "example.com"));

    assertThat(new Address(null, "a", LABEL_63 + ".com").domain()).hasSize(67);
    refuses(() -> new Address(null, "a", LABEL_63 + "a.com"));

    String three = String.join(".", LABEL_63, LABEL_63, LABEL_63);
    assertThat(new Address(null, "a", three + "." + "b".repeat(60)).email()).hasSize(254);
    refuses(() -> new Address(null, "ab", three + "." + "b".repeat(60)));
    refuses(() -> new Address(null, "a", three + "." + LABEL_63));

    assertThat(new Address("n".repeat(200), "a", "example.com").name()).hasSize(200);
    refuses(() -> new Address("n".repeat(201), "a", "example.com"));
  }

  @Test
  void aBlankNameIsRefused() {
    refuses(() -> new Address("", "ada", "example.com"));
    refuses(() -> new Address(" \t", "ada", "example.com"));
  }

  @Test
  void twoSpellingsOfOneMailboxHaveOneCanonicalForm() {
    assertThat(Address.parse("Ada <ADA@Example.com>").canonical())
        .isEqualTo(Address.parse("ada@EXAMPLE.com").canonical())
        .isEqualTo("ada@example.com");
  }

  @Test
  void whatIsFormattedIsReadBackEqual() {
    Random random = new Random(20_260_101);
    String inName = "ab Z9\"\\<>,;:@()[].'\t\u00eb\u65e5=?";
    String inLocal = "abZ9!#$%&'*+/=?^_`{|}~.-\u00eb\u65e5";
    String inDomain = "abZ9-\u00eb\u65e5";
    int readBack = 0;
    for (int i = 0; i < 6_000; i++) {
      String name = random.nextInt(4) == 0 ? null : anyOf(inName, random, 12);
      String local = anyOf(inLocal, random, 8);
      String domain = anyOf(inDomain, random, 5) + "." + anyOf(inDomain, random, 3);
      Address address;
      try {
        address = new Address(name, local, domain);
      } catch (InvalidEmailException refused) {
        continue;
      }
      readBack++;
      assertThat(Address.stored("to", address.format())).isEqualTo(address);
      assertThat(Address.stored("to", address.email()).email()).isEqualTo(address.email());
    }
    assertThat(readBack).isGreaterThan(1_500);
  }

  @Test
  void toStringShowsNothing() {
    assertThat(Address.parse("Ada <ada@example.com>")).hasToString("Address[hidden]");
  }

  private static String anyOf(String alphabet, Random random, int longest) {
    StringBuilder text = new StringBuilder();
    int length = 1 + random.nextInt(longest);
    for (int i = 0; i < length; i++) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  private static void refuses(Runnable made) {
    assertThatThrownBy(made::run)
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageNotContainingAny("aaa", "example", "nnn");
  }
}
