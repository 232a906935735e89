package streamrun.flink;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits a text of SQL into its statements. */
final class Ddl {
  private static final Pattern SET =
      Pattern.compile("SET\\s+'([^']+)'\\s*=\\s*'([^']*)'", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private Ddl() {}

  /** The statements between semicolons that are not in quotes or comments, without the comments. */
  static List<String> statements(String sql) {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    char quote = 0;
    for (int i = 0; i < sql.length(); i++) {
      char c = sql.charAt(i);
      char next = i + 1 < sql.length() ? sql.charAt(i + 1) : 0;
      if (quote != 0) {
        statement.append(c);
        // A doubled quote stands for itself: the second one opens the quoted text again.
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"' || c == '`') {
        quote = c;
        statement.append(c);
      } else if (c == '-' && next == '-') {
        int end = sql.indexOf('\n', i);
        i = end < 0 ? sql.length() : end - 1;
      } else if (c == '/' && next == '*' && !(i + 2 < sql.length() && sql.charAt(i + 2) == '+')) {
        int end = sql.indexOf("*/", i + 2);
        i = end < 0 ? sql.length() : end + 1;
        statement.append(' ');
      } else if (c == ';') {
        add(statement, statements);
      } else {
        statement.append(c);
      }
    }
    add(statement, statements);
    return statements;
  }

  /** The name and the value of {@code SET 'name' = 'value'}, or null for another statement. */
  static String[] setting(String statement) {
    Matcher match = SET.matcher(statement.strip());
    return match.matches() ? new String[] {match.group(1), match.group(2)} : null;
  }

  private static void add(StringBuilder statement, List<String> statements) {
    if (!statement.toString().isBlank()) {
      statements.add(statement.toString().strip());
    }
    statement.setLength(0);
  }
}
