package dev.outbox.template;

import dev.outbox.email.TemplateData;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A set of templates, known by name.
 *
 * <p>The factories here read Mustache files from a folder. All files are read and compiled when the
 * factory is called, and what is broken is listed in one {@link TemplateException}; later changes
 * of the files are not seen.
 *
 * <p><b>Files.</b> {@code order-confirmed.subject.mustache}, {@code order-confirmed.html.mustache}
 * and {@code order-confirmed.txt.mustache} are the parts of the template {@code order-confirmed};
 * one of the two bodies is enough. A part may exist for a locale too, {@code
 * order-confirmed.it.html.mustache}, next to the plain one, which it replaces for {@code it} and
 * {@code it-IT}. Names are made of letters, digits, {@code _} and {@code -}, with folders as in
 * {@code orders/confirmed}. Other files, and those in hidden folders, are left alone. Files are
 * UTF-8.
 *
 * <p><b>Partials and layouts.</b> <code>{{>footer}}</code> and <code>
 * {{&lt;layout}}{{$content}}…{{/content}}{{/layout}}</code> name files of the same kind and, where
 * there is one, the same locale, always from the top of the folder. A file whose name starts with
 * {@code _} can be used only so and never be sent by itself. A partial cannot include itself, and a
 * template can have at most 1000 of them.
 *
 * <p><b>Values.</b> HTML escapes (<code>{{{name}}}</code> does not); text and subject never do. A
 * null prints nothing, and so does everything below it. Numbers print plainly, with their scale. A
 * map or list does not print. In sections, null, false, empty text and an empty list are false.
 * What is not in the data is an error, in sections too: an optional value must be there as null.
 * Templates see the keys of maps and the elements of lists, never Java fields or methods.
 *
 * <p>Implementations must be safe for use by several threads; those made here are immutable and
 * render without locks.
 */
public interface Templates {

  /**
   * Returns the names that can be sent.
   *
   * @return unmodifiable and sorted; each has an HTML or a text body
   */
  Set<String> names();

  /**
   * Says whether a name can be sent.
   *
   * @param name any text
   * @return whether it is one of {@link #names}
   */
  boolean contains(String name);

  /**
   * Says whether a template brings its own subject, in every locale.
   *
   * @param name one of {@link #names}
   * @return whether {@link RenderedTemplate#subject} will be there
   * @throws TemplateNotFoundException if the name is unknown
   */
  boolean hasSubject(String name);

  /**
   * Fills a template.
   *
   * @param name one of {@link #names}
   * @param locale the reader's, or null for the plain files
   * @param data what the template's variables stand for
   * @return the parts that the template has
   * @throws TemplateNotFoundException if the name is unknown
   * @throws TemplateException if the data does not fit, or the subject is more than one line
   */
  RenderedTemplate render(String name, @Nullable Locale locale, TemplateData data);

  /**
   * Reads templates from a folder of the class path, with the thread's context class loader.
   *
   * @param folder such as {@code mail} or {@code com/example/mail}
   * @return the templates
   * @throws TemplateException if there are none, or any is broken
   * @see #classpath(String, ClassLoader)
   */
  static Templates classpath(String folder) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return classpath(folder, context == null ? ClassLoader.getSystemClassLoader() : context);
  }

  /**
   * Reads templates from a folder of the class path.
   *
   * <p>If several directories or jars have that folder, they are seen as one; of files with the
   * same name, the first on the class path counts. A jar must have an entry for the folder itself,
   * as those made by the usual tools do.
   *
   * @param folder such as {@code mail} or {@code com/example/mail}
   * @param loader whose class path
   * @return the templates
   * @throws TemplateException if there are none, or any is broken
   */
  static Templates classpath(String folder, ClassLoader loader) {
    return TemplateCompiler.compile(
        "class path folder " + folder, TemplateClasspath.read(folder, loader));
  }

  /**
   * Reads templates from a directory. Symbolic links are followed inside it, and refused if they
   * lead out of it.
   *
   * @param folder an existing directory
   * @return the templates
   * @throws TemplateException if there are none, or any is broken
   */
  static Templates directory(Path folder) {
    return TemplateCompiler.compile("directory " + folder, TemplateDirectory.read(folder));
  }
}
