import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import * as library from '../../src/index.ts';
import { codeBlocks } from '../docs/pages.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
// Below node_modules, so that declarations find their packages.
const FOLDER = join(ROOT, 'node_modules', '.cache', 'library');
const declarations = join(FOLDER, 'declarations');
const index = readFileSync(join(ROOT, 'src/index.ts'), 'utf8');

/** `declared`: its name where it is declared. */
type Export = { readonly name: string; readonly declared: string; readonly type: boolean; readonly file: string };

/** What src/index.ts exports, and which file declares it. */
const exported: readonly Export[] = [...index.matchAll(/^export (type )?\{([^}]+)\} from '([^']+)';$/gm)].flatMap(
  ([, type, names = '', path = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((text) => {
        const [declared = '', name = declared] = text.replace(/^type /, '').split(' as ');
        const file = fileURLToPath(new URL(path, new URL('../../src/index.ts', import.meta.url)));
        return { ...{ name, declared, file }, type: type !== undefined || text.startsWith('type ') };
      }),
);

/** The doc comment right before the declaration; undefined where there is none. */
function commentOf({ declared: name, file }: Pick<Export, 'declared' | 'file'>): string | undefined {
  const text = readFileSync(file, 'utf8');
  const declared = new RegExp(`(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/)\\nexport (?:async )?(?:function|const|class|type) ${name}\\b`).exec(text);
  if (declared !== null) return declared[1];
  // Re-exported from the module that declares it.
  const [, path] = new RegExp(`export type \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`).exec(text) ?? [];
  const [, imported] = new RegExp(`import type \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`).exec(text) ?? [];
  const from = path ?? imported;
  return from === undefined ? undefined : commentOf({ declared: name, file: join(file, '..', from) });
}

const exampleOf = (comment: string): string =>
  (/@example\n \* ```ts\n([\s\S]*?)\n \* ```/.exec(comment)?.[1] ?? '').replaceAll(/^ \* ?/gm, '');

const values = exported.filter(({ type }) => !type);

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  const build = ['-p', join(ROOT, 'tsconfig.build.json'), '--emitDeclarationOnly', '--outDir', declarations];
  const { status, stdout } = spawnSync('tsc', build, { encoding: 'utf8' });
  expect(status, stdout).toBe(0);
}, 120_000);

describe('the library', () => {
  test('exports what it did: taking a name away is a breaking change', () => {
    expect(values.map(({ name }) => name).toSorted()).toEqual(Object.keys(library).toSorted());
    expect(exported.map(({ name, type }) => `${type ? 'type ' : ''}${name}`).toSorted()).toMatchSnapshot();
  });

  test('has the signatures that it had', () => {
    const declared = [
      'src/library',
      'src/judge/own-clause.d.ts',
      'src/clause/clause.d.ts',
      'src/oracle/own.d.ts',
      'src/oracle/own-view.d.ts',
      'src/session/session.d.ts',
      'src/clause/run-record.d.ts',
    ];
    const texts = declared.flatMap((path) => {
      const files = path.endsWith('.ts')
        ? [path]
        : readdirSync(join(declarations, path))
            .toSorted()
            .map((name) => `${path}/${name}`);
      return files.map(
        (file) => `// ${file}\n${readFileSync(join(declarations, file), 'utf8').replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')}`,
      );
    });
    expect(texts.join('\n')).toMatchSnapshot();
  });

  test.for(exported)('says what $name is for', (one) => {
    expect(commentOf(one)?.length ?? 0).toBeGreaterThan(20);
  });

  test.for(values)('shows how $name is used', (one) => {
    expect(exampleOf(commentOf(one) ?? '')).toContain(one.name);
  });

  test('has examples that compile as a user would write them', () => {
    const folder = join(FOLDER, 'code');
    mkdirSync(folder, { recursive: true });
    const files = values.map((one) => {
      const file = join(folder, `${one.name}.ts`);
      writeFileSync(file, `${exampleOf(commentOf(one) ?? '')}\nexport {};\n`);
      return file;
    });
    const pages = ['docs/library.md', 'docs/own-clauses.md'];
    const shown = pages.flatMap((page) => codeBlocks(page)).filter(({ language }) => language === 'ts');
    expect(shown.length).toBeGreaterThan(pages.length);
    for (const { page, line, text } of shown) {
      const file = join(folder, `${basename(page, '.md')}-${line}.ts`);
      writeFileSync(file, `${text}\nexport {};\n`);
      files.push(file);
    }
    const paths = { '@petstore-conformance/cli': [join(declarations, 'src/index.d.ts')] };
    const examples = ['node-test.mts', 'vitest.test.mts', 'own-clauses/house-rules.clause.mts'].map((name) => join(ROOT, 'examples', name));
    const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions: { paths }, include: [], files: [...files, ...examples] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { status, stdout } = spawnSync('tsc', ['-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });
});
