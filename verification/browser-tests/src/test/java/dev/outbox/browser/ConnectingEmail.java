package dev.outbox.browser;

import java.util.List;

/** Every known way in which html makes a browser open a connection, one element each. */
final class ConnectingEmail {

  /** What preconnects or resolves names, also where a parser may take it for something else. */
  private static final List<String> LINKS =
      List.of(
          "<link rel='preconnect' href='THERE'>",
          "<LINK REL='preconnect' HREF='THERE' CROSSORIGIN>",
          "<link/rel=preconnect/href=THERE>",
          "<link rel='dns-prefetch' href='THERE'>",
          "<link rel='preconnect dns-prefetch' href='THERE/a'>",
          "<svg><style><b><link rel=preconnect href='THERE/b'></style></svg>",
          "<math><mtext><link rel=preconnect href='THERE/c'></mtext></math>",
          "<noscript><link rel=preconnect href='THERE/d'></noscript>",
          "<div><template shadowrootmode=open><link rel=preconnect href='THERE/e'></template></div>",
          "<iframe srcdoc=\"&lt;link rel=preconnect href='THERE/f'&gt;\"></iframe>",
          "<iframe srcdoc=\"&lt;img src='THERE/f.png'&gt;\"></iframe>",
          "<select><link rel=preconnect href='THERE/g'></select>",
          "<!--[if mso]><p><![endif]--><link rel=preconnect href='THERE/h'>",
          "<!--><link rel=preconnect href='THERE/i'>-->");

  private static final List<String> OTHERS =
      List.of(
          "<base href='THERE/base/'>",
          "<meta http-equiv='x-dns-prefetch-control' content='on'>",
          "<meta http-equiv='refresh' content='0; url=THERE/refresh'>",
          "<link rel='prefetch' href='THERE/prefetch'>",
          "<link rel='prerender' href='THERE/prerender'>",
          "<link rel='modulepreload' href='THERE/module.js'>",
          "<link rel='preload' as='image' href='THERE/preload.png'>",
          "<link rel='stylesheet' href='THERE/style.css'>",
          "<link rel='icon' href='THERE/icon.png'>",
          "<link rel='manifest' href='THERE/manifest.json'>",
          "<style>@import url('THERE/import.css');"
              + " @font-face { font-family: f; src: url('THERE/font.woff2') }"
              + " body { font-family: f; background: url('THERE/back.png'); cursor: url('THERE/cursor.png'), auto }"
              + " p { background: image-set('THERE/set.png' 1x) }</style>",
          "<script type='speculationrules'>"
              + "{\"prefetch\": [{\"urls\": [\"THERE/speculation\"], \"eagerness\": \"immediate\"}]}</script>",
          "<script>new Image().src = 'THERE/script'</script>",
          "<img src='THERE/open.png' alt=''>",
          "<img srcset='THERE/one.png 1x, THERE/two.png 2x' alt=''>",
          "<picture><source srcset='THERE/source.png'><img src='cid:none' alt=''></picture>",
          "<img src='relative.png' alt=''>",
          "<table background='THERE/table.png'><tr><td>x</td></tr></table>",
          "<video src='THERE/film.mp4' poster='THERE/poster.png' autoplay muted></video>",
          "<audio src='THERE/sound.mp3' autoplay></audio>",
          "<video><track default src='THERE/track.vtt'></video>",
          "<svg width='9' height='9'><image href='THERE/svg.png'/><use href='THERE/use.svg#a'/>"
              + "<filter id='f'><feImage href='THERE/filter.png'/></filter>"
              + "<rect width='9' height='9' filter='url(#f)' fill='url(THERE/fill.svg#a)'/></svg>",
          "<iframe src='THERE/frame'></iframe>",
          "<img attributionsrc='THERE/attribution' alt=''>",
          "<img src='cid:none' attributionsrc='THERE/attribution2' lowsrc='THERE/low' alt=''>",
          "<svg><style>@import 'THERE/svg.css'; * { mask: url('THERE/mask.svg#a') }</style></svg>",
          "<div style=\"content: url('THERE/content.png'); list-style: url('THERE/list.png');"
              + " border-image: url('THERE/border.png'); offset-path: url('THERE/path.svg#a')\">x</div>",
          "<frameset><frame src='THERE/frameset'></frameset>",
          "<meta http-equiv='Link' content='&lt;THERE&gt;; rel=preconnect'>",
          "<object data='THERE/object'></object>",
          "<embed src='THERE/embed'>",
          "<input type='image' src='THERE/input.png' alt=''>",
          "<form action='THERE/form' method='post'><button>send</button></form>",
          "<a href='THERE/link' ping='THERE/ping'>a link</a>",
          "<p style=\"background: url('THERE/inline.png')\">styled</p>");

  private ConnectingEmail() {}

  /** Returns the html with all elements, which point to an address. */
  static String html(String address) {
    return "<!doctype html><title>x</title><p id='words'>Hello</p>"
        + (String.join("\n", LINKS) + String.join("\n", OTHERS)).replace("THERE", address)
        + "<p id='end'>Good bye</p>";
  }

  /** Returns a page that only preconnects. */
  static String preconnect(String address) {
    return "<!doctype html>" + LINKS.get(0).replace("THERE", address);
  }

  /** Returns the email as the API takes it, with a header that names the address, too. */
  static String json(String address) {
    String escaped = html(address).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return """
        {"to": "ada@example.com", "subject": "You have won", "html": "%s",
         "headers": {"Link": "<%s>; rel=preconnect"}}"""
        .formatted(escaped, address);
  }
}
