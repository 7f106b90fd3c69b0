package dev.outbox.verification.documentation;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * A walk through source files that finds what the outside can see and nobody has explained.
 *
 * <p>Overriding methods inherit their comment, record components have theirs as tags of the record,
 * and constructors say little that their class has not said.
 */
final class Uncommented extends TreePathScanner<@Nullable Void, @Nullable Void> {

  private final DocTrees trees;
  private final List<String> found = new ArrayList<>();

  Uncommented(DocTrees trees) {
    this.trees = trees;
  }

  List<String> found() {
    return found;
  }

  @Override
  public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
    if (!isVisible(type.getModifiers())) {
      return null;
    }
    check(type.getSimpleName().toString());
    return super.visitClass(type, null);
  }

  @Override
  public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
    boolean constructor = method.getReturnType() == null;
    if (!constructor && isVisible(method.getModifiers()) && !overrides(method)) {
      check(method.getName().toString());
    }
    return null;
  }

  @Override
  public @Nullable Void visitVariable(VariableTree field, @Nullable Void unused) {
    if (isVisible(field.getModifiers())) {
      check(field.getName().toString());
    }
    return null;
  }

  private void check(String name) {
    if (trees.getDocComment(getCurrentPath()) == null) {
      found.add(getCurrentPath().getCompilationUnit().getSourceFile().getName() + ": " + name);
    }
  }

  /** Members of interfaces, and constants of enums, are public without a word. */
  private boolean isVisible(ModifiersTree modifiers) {
    Set<Modifier> flags = modifiers.getFlags();
    TreePath parent = getCurrentPath().getParentPath();
    return flags.contains(Modifier.PUBLIC)
        || flags.contains(Modifier.PROTECTED)
        || (parent.getLeaf().getKind() == Tree.Kind.INTERFACE && !flags.contains(Modifier.PRIVATE));
  }

  private static boolean overrides(MethodTree method) {
    return method.getModifiers().getAnnotations().stream()
        .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
  }
}
