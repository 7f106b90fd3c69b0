package dev.outbox.email;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The components of a record class, looked up once per class. Safe for use by several threads. */
record RecordComponents(List<Component> components) {

  // a ClassValue does not keep the host's classes alive
  private static final ClassValue<RecordComponents> SHAPES =
      new ClassValue<>() {
        @Override
        protected RecordComponents computeValue(Class<?> type) {
          List<Component> components = new ArrayList<>();
          for (RecordComponent component : type.getRecordComponents()) {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            components.add(new Component(component.getName(), accessor));
          }
          return new RecordComponents(List.copyOf(components));
        }
      };

  /** Returns null where the module system keeps us out. */
  static @Nullable RecordComponents of(Record record) {
    try {
      return SHAPES.get(record.getClass());
    } catch (InaccessibleObjectException e) {
      return null;
    }
  }

  /** A component and the accessor that reads it. */
  record Component(String name, Method accessor) {

    @Nullable Object valueIn(Record record) throws AccessorFailed {
      try {
        return accessor.invoke(record);
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        throw new AccessorFailed("its accessor threw " + typeOf(e.getCause()));
      } catch (IllegalAccessException e) {
        throw new AccessorFailed("its accessor is not accessible");
      }
    }

    private static String typeOf(@Nullable Throwable cause) {
      return cause == null ? "an exception" : cause.getClass().getTypeName();
    }
  }

  /** Says that an accessor failed, with the type of its exception and without its text. */
  static final class AccessorFailed extends Exception {
    private static final long serialVersionUID = 1L;

    AccessorFailed(String problem) {
      super(problem);
    }
  }
}
