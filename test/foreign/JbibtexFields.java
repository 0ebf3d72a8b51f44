// Reads the entry of each file FOLDER/0.bib … with jbibtex, and prints its fields, a line each: the
// name, a tab, and the text that LaTeX sets. An empty line ends an entry.

import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jbibtex.BibTeXEntry;
import org.jbibtex.BibTeXParser;
import org.jbibtex.Key;
import org.jbibtex.LaTeXParser;
import org.jbibtex.LaTeXPrinter;
import org.jbibtex.Value;

public class JbibtexFields {
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (int number = 0; number < Integer.parseInt(args[1]); number++) {
      try {
        BibTeXEntry entry = read(Files.readString(Path.of(args[0], number + ".bib")));
        for (Map.Entry<Key, Value> field : entry.getFields().entrySet()) {
          String name = field.getKey().getValue().toLowerCase();
          out.println(name + "\t" + plain(field.getValue().toUserString(), name));
        }
      } catch (Exception fault) {
        out.println("error\t" + oneLine(fault.toString()));
      }
      out.println();
    }
    out.flush();
  }

  static BibTeXEntry read(String text) throws Exception {
    return new BibTeXParser().parse(new StringReader(text)).getEntries().values().iterator().next();
  }

  static String plain(String text, String name) throws Exception {
    // Addresses and DOIs are no LaTeX.
    if (name.equals("url") || name.equals("doi")) return oneLine(text);
    return oneLine(new LaTeXPrinter().print(new LaTeXParser().parse(new StringReader(text))));
  }

  static String oneLine(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
