package com.example.shop;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/** A driver that takes read-only connections seriously, as MySQL's do, and can fail a commit. */
final class FaultyDriver {

  private final AtomicBoolean failNextCommit = new AtomicBoolean();

  /** Makes the next commit fail, and everything on its connection after that. */
  void failNextCommit() {
    failNextCommit.set(true);
  }

  /** Returns a data source whose connections behave like this. */
  DataSource around(DataSource driver) {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Object result = method.invoke(driver, arguments);
          return result instanceof Connection connection
              ? proxy(Connection.class, new Calls(connection))
              : result;
        });
  }

  private interface Call {
    Object of(Method method, Object[] arguments) throws Exception;
  }

  private final class Calls implements Call {

    private final Connection connection;
    private boolean readOnly;
    private boolean lost;

    Calls(Connection connection) {
      this.connection = connection;
    }

    @Override
    public Object of(Method method, Object[] arguments) throws Exception {
      switch (method.getName()) {
        case "setReadOnly" -> readOnly = (boolean) arguments[0];
        case "isReadOnly" -> {
          return readOnly;
        }
        case "commit" -> lost = lost || failNextCommit.compareAndSet(true, false);
        case "prepareStatement" -> {
          if (readOnly && arguments[0].toString().startsWith("INSERT")) {
            throw new SQLException("read-only", "25006");
          }
        }
        default -> {}
      }
      if (lost && !method.getName().equals("close")) {
        throw new SQLException("connection lost", "08S01");
      }
      return method.invoke(connection, arguments);
    }
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return call.of(method, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
