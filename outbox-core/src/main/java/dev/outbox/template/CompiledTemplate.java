package dev.outbox.template;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import com.samskivert.mustache.Template;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A compiled template file together with the partials it includes. */
final class CompiledTemplate {

  private final Template template;
  private final List<TemplateFile> files;

  /**
   * Takes a template and loads its partials, so that rendering never has to.
   *
   * @param files the template's own file, then those it includes
   */
  CompiledTemplate(Template template, List<TemplateFile> files) {
    this.template = template;
    this.files = List.copyOf(files);
    template.visit(new EveryTag());
  }

  String render(Map<String, @Nullable Object> data) {
    TemplateFile own = files.get(0);
    UnsynchronizedStringWriter written = new UnsynchronizedStringWriter();
    try {
      template.execute(new TemplateValue("this", data), written);
    } catch (MustacheException.Context e) {
      throw new TemplateException(
          placeOf(e.key, e.lineNo) + ": variable '" + e.key + "' is missing from the data");
    } catch (TemplateValue.Unprintable e) {
      throw new TemplateException(own.path() + ": " + e.getMessage() + " and cannot be printed");
    }
    String result = written.toString();
    if (own.part() == TemplatePart.SUBJECT && !RenderedTemplate.isOneLine(result)) {
      throw new TemplateException(own.path() + ": the subject has a line break or NUL");
    }
    return result;
  }

  /** Finds the file by its tags, because the exception knows the line alone. */
  private String placeOf(String variable, int line) {
    String places =
        files.stream()
            .filter(f -> f.tags().stream().anyMatch(t -> t.line() == line && t.asksFor(variable)))
            .map(f -> f.path() + ":" + line)
            .distinct()
            .collect(Collectors.joining(" or "));
    return places.isEmpty() ? files.get(0).path() : places;
  }

  /** A visit of every tag; jmustache loads a partial when it is first visited. */
  private static final class EveryTag implements Mustache.Visitor {
    @Override
    public void visitText(String text) {}

    @Override
    public void visitVariable(String name) {}

    @Override
    public boolean visitInclude(String name) {
      return true;
    }

    @Override
    public boolean visitParent(String name) {
      return true;
    }

    @Override
    public boolean visitBlock(String name) {
      return true;
    }

    @Override
    public boolean visitSection(String name) {
      return true;
    }

    @Override
    public boolean visitInvertedSection(String name) {
      return true;
    }
  }
}
