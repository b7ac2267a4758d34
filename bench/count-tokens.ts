import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner } from 'typescript/unstable/ast/scanner';
import { parseAst } from 'vite';

/** What a module consists of. */
export type Price = {
  readonly lines: number;
  /** Tokens of code: without comments, imports, and what is written in tables. Functions in tables are code. */
  readonly tokens: number;
  /** Tokens in tables. */
  readonly inTables: number;
};

/** A node of the syntax tree, as far as it matters here: its kind, its extent, and what is in it. */
type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [member: string]: unknown };
type Extent = Pick<Node, 'start' | 'end'>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
const nodesIn = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);

/** The node and all that are in it. */
function* within(node: Node): Generator<Node> {
  yield node;
  for (const inner of nodesIn(node)) yield* within(inner);
}

const TABLES = new Set(['ArrayExpression', 'ObjectExpression']);
const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression']);
/** What may stand around the literal of a table. */
const WRAPPINGS = new Set(['TSAsExpression', 'TSSatisfiesExpression']);

/** The array or object that is the value of a constant: as it is, with `as` or `satisfies`, or in a new Map or Set. */
function tableIn(value: unknown): Node | undefined {
  if (!isNode(value)) return undefined;
  if (TABLES.has(value.type)) return value;
  if (WRAPPINGS.has(value.type)) return tableIn(value['expression']);
  return value.type === 'NewExpression' ? nodesIn(value).map(tableIn).find(Boolean) : undefined;
}

/** The outermost functions in a node. */
function functionsIn(node: Node): readonly Node[] {
  return nodesIn(node).flatMap((inner) => (FUNCTIONS.has(inner.type) ? [inner] : functionsIn(inner)));
}

const holds = (extents: readonly Extent[], at: number): boolean => extents.some(({ start, end }) => at >= start && at < end);

/** The statement, without `export` before it. */
const declared = (statement: Node): Node => (isNode(statement['declaration']) ? statement['declaration'] : statement);

/**
 * Counts the tokens of a module with TypeScript's own scanner. What is an import, a table, or a function is read from the syntax tree of the bundler, because
 * TypeScript 7 makes no tree in this process.
 */
export function countTokens(text: string): Price {
  const tree = parseAst(text, { lang: 'ts', astType: 'ts' }) as unknown as Node;
  const statements = nodesIn(tree);
  const imports = statements.filter(({ type, source }) => type === 'ImportDeclaration' || isNode(source));
  const tables = statements
    .map(declared)
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap((declaration) => nodesIn(declaration).flatMap(({ init }) => tableIn(init) ?? []));
  const functions = tables.flatMap(functionsIn);
  const all = [...within(tree)];
  const patterns = new Set(all.filter(({ regex }) => regex !== undefined).map(({ start }) => start));
  // A piece of a template text after a value begins with the brace that ends the value.
  const pieces = all.filter(({ type }) => type === 'TemplateLiteral').flatMap(({ quasis }) => (quasis as readonly Node[]).slice(1));
  const braces = new Set(pieces.map(({ start }) => start));

  const scanner = createScanner(true);
  scanner.setText(text);
  let tokens = 0;
  let inTables = 0;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    const at = scanner.getTokenStart();
    if (patterns.has(at)) scanner.reScanSlashToken();
    if (braces.has(at)) scanner.reScanTemplateToken(false);
    if (holds(imports, at)) continue;
    if (holds(tables, at) && !holds(functions, at)) inTables += 1;
    else tokens += 1;
  }
  return { lines: text.split('\n').length - 1, tokens, inTables };
}
