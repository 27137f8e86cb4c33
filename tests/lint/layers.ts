// A lint plugin that keeps ARCHITECTURE.md true: who may import whom, what a pure room may not use, where escapes
// may stand, and the shape of a module. The tables are in layer_tables.ts; rules only read them.

import { ESCAPE_WRITERS, EXEMPT, IMPURE_MEMBERS, IMPURE_NAMES, mayImport, roomOf } from "./layer_tables.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);
/** ESC with the sign that makes it CSI, OSC, DCS, APC or PM. */
// deno-lint-ignore no-control-regex
const ESCAPE = /\x1b[[\]P_^]/;

const imports = ruleFor((path, context) => {
  const room = roomOf(path);
  return {
    Program(node: Deno.lint.Program) {
      if (room === null) {
        context.report({
          node,
          message: `Cannot place ${path}: it is in no room of ARCHITECTURE.md`,
          hint: "Move it into a room, or add the room to ARCHITECTURE.md and tests/lint/layer_tables.ts",
        });
      }
    },
    ...forEachImport((specifier, typeOnly, node) => {
      if (specifier.startsWith("node:")) {
        context.report({ node, message: `Cannot import ${specifier}: node: modules are for tests only` });
        return;
      }
      if (room === null || !/^\.{0,2}\//.test(specifier)) return;
      const target = resolvePath(path, specifier);
      if (mayImport(room, target, typeOnly)) return;
      context.report({
        node,
        message: `Cannot import ${target} from ${path}: ${room.name} may not import it`,
        hint: 'See "Who may import whom" in ARCHITECTURE.md',
      });
    }),
  };
});

const purity = ruleFor((path, context) => {
  const room = roomOf(path);
  if (room === null || !room.pure) return {};
  const uses: Deno.lint.Identifier[] = [];
  const declared = new Set<string>();
  function report(node: Deno.lint.Node, name: string, brings: string): void {
    context.report({
      node,
      message: `Cannot use ${name} in ${path}: ${room?.name} is pure, and this brings in ${brings}`,
      hint: "Take it as an argument, or do it in a file that is not pure",
    });
  }
  return {
    Identifier(node) {
      if (!IMPURE_NAMES.has(node.name)) return;
      if (isDeclaration(node)) declared.add(node.name);
      else if (!isMerelyAName(node)) uses.push(node);
    },
    MemberExpression(node) {
      if (node.object.type !== "Identifier") return;
      const member = node.property.type === "Identifier" && !node.computed
        ? node.property.name
        : node.property.type === "Literal"
        ? String(node.property.value)
        : "";
      const name = `${node.object.name}.${member}`;
      if (node.object.name === "globalThis") {
        const brings = IMPURE_NAMES.get(member);
        if (brings !== undefined) report(node, name, brings);
        return;
      }
      const brings = IMPURE_MEMBERS.get(name);
      if (brings !== undefined) report(node, name, brings);
    },
    NewExpression(node) {
      if (isDate(node.callee) && node.arguments.length === 0) report(node, "new Date()", "the clock");
    },
    CallExpression(node) {
      if (isDate(node.callee)) report(node, "Date()", "the clock");
    },
    "Program:exit"() {
      // A shorthand property is both key and value: the linter visits it twice.
      const places = new Map(uses.map((node) => [node.range[0], node]));
      for (const node of places.values()) {
        if (!declared.has(node.name)) report(node, node.name, IMPURE_NAMES.get(node.name) ?? "");
      }
    },
  };
});

const escapes = ruleFor((path, context) => {
  if (ESCAPE_WRITERS.some((writer) => writer.test(path))) return {};
  function check(node: Deno.lint.Node, text: string): void {
    if (!ESCAPE.test(text)) return;
    context.report({
      node,
      message:
        `Cannot hold an escape sequence in ${path}: only screen/encode.ts and screen/terminal.ts write escapes`,
    });
  }
  return {
    Literal(node) {
      if (typeof node.value === "string") check(node, node.value);
    },
    TemplateElement(node) {
      check(node, node.cooked);
    },
  };
});

const shape = ruleFor((path, context) => {
  return {
    Program(node) {
      const isBarrel = /(^|\/)(mod|index)\.ts$/.test(path) ||
        (node.body.length > 0 && node.body.every(isReexport));
      if (isBarrel) {
        context.report({ node, message: `Cannot use ${path} as a barrel: import from the file that has it` });
      }
    },
    ExportAllDeclaration(node) {
      context.report({ node, message: "Cannot export *: name what is exported, in the file that has it" });
    },
    ExportDefaultDeclaration(node) {
      context.report({ node, message: "Cannot export a default: give it its name" });
    },
    ExportSpecifier(node) {
      if (node.exported.type === "Identifier" && node.exported.name === "default") {
        context.report({ node, message: "Cannot export a default: give it its name" });
      }
    },
  };
});

const plugin: Deno.lint.Plugin = {
  name: "layers",
  rules: { "imports": imports, "purity": purity, "escapes": escapes, "shape": shape },
};
export default plugin;

/** A rule that looks at our own modules only, by their path from the root. */
function ruleFor(
  create: (path: string, context: Deno.lint.RuleContext) => Deno.lint.LintVisitor,
): Deno.lint.Rule {
  return {
    create(context) {
      const path = projectPath(context.filename);
      const isOurs = path === "main.ts" || path.startsWith("src/");
      return !isOurs || EXEMPT.some((exempt) => exempt.test(path)) ? {} : create(path, context);
    },
  };
}

/** "src/text/wrap.ts" for however the linter names that file. */
function projectPath(filename: string): string {
  const plain = decodeURIComponent(filename.replace(/^file:\/\//, "")).replaceAll("\\", "/");
  return plain.startsWith(ROOT) ? plain.slice(ROOT.length) : plain;
}

/** Visits each place that names another module: static, re-exporting, dynamic and in a type. */
function forEachImport(
  visit: (specifier: string, typeOnly: boolean, node: Deno.lint.Node) => void,
): Deno.lint.LintVisitor {
  return {
    ImportDeclaration(node) {
      const allTypes = node.specifiers.length > 0 &&
        node.specifiers.every((each) => each.type === "ImportSpecifier" && each.importKind === "type");
      visit(node.source.value, node.importKind === "type" || allTypes, node);
    },
    ExportNamedDeclaration(node) {
      if (node.source !== null) visit(node.source.value, node.exportKind === "type", node);
    },
    ExportAllDeclaration(node) {
      visit(node.source.value, node.exportKind === "type", node);
    },
    ImportExpression(node) {
      if (node.source.type === "Literal" && typeof node.source.value === "string") {
        visit(node.source.value, false, node);
      }
    },
    TSImportType(node) {
      const argument = node.argument as unknown as { literal?: { value?: unknown } };
      if (typeof argument.literal?.value === "string") visit(argument.literal.value, true, node);
    },
  };
}

/** `specifier` as seen from `from`, as a path from the root; one that leaves the root keeps its "..". */
function resolvePath(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}

function isReexport(statement: { type: string }): boolean {
  return statement.type === "ExportAllDeclaration" ||
    (statement.type === "ExportNamedDeclaration" &&
      (statement as Deno.lint.ExportNamedDeclaration).source !== null);
}

function isDate(node: Deno.lint.Node): boolean {
  return node.type === "Identifier" && node.name === "Date";
}

/** True where the identifier gives the name to something of the file's own. */
function isDeclaration(node: Deno.lint.Identifier): boolean {
  const parent = node.parent as Deno.lint.Node;
  switch (parent.type) {
    case "VariableDeclarator":
      return parent.id === node;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return (parent.params as readonly unknown[]).includes(node) || ("id" in parent && parent.id === node);
    case "ImportSpecifier":
      return parent.local === node;
    case "AssignmentPattern":
      return parent.left === node;
    case "Property":
      // In a pattern; `{ performance }` in an expression is a use, and its parent says so.
      return parent.value === node && (parent.parent as Deno.lint.Node).type === "ObjectPattern";
    default:
      return false;
  }
}

/** True where the identifier is a property's or a type's name and reads nothing. */
function isMerelyAName(node: Deno.lint.Identifier): boolean {
  const parent = node.parent as Deno.lint.Node;
  switch (parent.type) {
    case "MemberExpression":
      return parent.property === node && !parent.computed;
    case "Property":
      return parent.key === node && !parent.computed && !parent.shorthand;
    case "TSPropertySignature":
    case "TSMethodSignature":
    case "PropertyDefinition":
    case "MethodDefinition":
      return parent.key === node;
    case "TSQualifiedName":
      return parent.right === node;
    default:
      return false;
  }
}
