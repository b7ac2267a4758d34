import { describe, expect, test } from 'vitest';
import { checkRelease, copiedPaths, type Release } from '../../release/checks.ts';

const READY: Release = {
  manifest: {
    name: '@acme/cli',
    version: '1.2.3',
    repository: { url: 'git+https://git.acme.test/cli.git' },
    homepage: 'https://git.acme.test/cli#readme',
    bugs: 'https://git.acme.test/cli/issues',
    publishConfig: { access: 'public', provenance: true },
  },
  locked: '1.2.3',
  changelog: '# Changelog\n\n## 1.2.3\n\n## 1.2.2\n',
  texts: { 'README.md': 'npm install @acme/cli@1.2.3' },
  packed: {
    paths: ['README.md', 'CHANGELOG.md', 'LICENSE', 'action.yml', 'dist/src/cli/main.js', 'dist/src/index.d.ts', 'schemas/openapi.json'],
    size: 1_000_000,
  },
  image: { text: `ARG BASE=docker.io/library/node:26.9.0-slim@sha256:${'0'.repeat(64)}\nCOPY dist ./dist\n`, missing: [] },
  tag: 'v1.2.3',
  changes: [],
};

describe('checkRelease', () => {
  test('passes a release in which everything agrees', () => {
    expect(checkRelease(READY)).toEqual({ wrong: [], left: [] });
  });

  test.for([
    ['a tag of another version', { tag: 'v1.2.4' }, 'the tag is v1.2.4'],
    ['a lock file of another version', { locked: '1.2.2' }, 'package-lock.json has version 1.2.2'],
    ['a changelog without the version', { changelog: '# Changelog\n\n## 1.2.2\n' }, 'CHANGELOG.md is "1.2.2"'],
    ['a page that names another version', { texts: { 'docs/a.md': 'npm i @acme/cli@1.0.0' } }, 'docs/a.md: @acme/cli@1.0.0'],
    ['a package without its program', { packed: { paths: [], size: 1 } }, 'the package lacks'],
    ['a package with a test', { packed: { ...READY.packed, paths: [...READY.packed.paths, 'dist/src/a.test.js'] } }, 'dist/src/a.test.js'],
    ['a package with a secret', { packed: { ...READY.packed, paths: [...READY.packed.paths, '.env'] } }, '.env'],
    ['a package that has grown', { packed: { ...READY.packed, size: 6_000_000 } }, '6000000 bytes'],
    ['an image of what is not there', { image: { ...READY.image, missing: ['dist'] } }, 'the image copies dist'],
    ['an image whose base may change', { image: { text: 'ARG BASE=node:26\n', missing: [] } }, 'not pinned by its digest'],
    ['no provenance', { manifest: { ...READY.manifest, publishConfig: { access: 'public', provenance: false } } }, 'provenance'],
    ['a homepage elsewhere', { manifest: { ...READY.manifest, homepage: 'https://elsewhere.test' } }, 'homepage and bugs'],
  ] as const)('says what is wrong: %s', ([, difference, sentence]) => {
    const { wrong } = checkRelease({ ...READY, ...difference });
    expect(wrong).toHaveLength(1);
    expect(wrong[0]).toContain(sentence);
  });

  test.for([
    ['a placeholder', { manifest: { ...READY.manifest, repository: { url: 'git+https://example.com/cli.git' } } }, 'placeholder'],
    ['files that are not committed', { changes: [' M README.md'] }, '1 files are not committed'],
    ['no tag', { tag: undefined }, 'there is no tag'],
  ] as const)('says what is left to do: %s', ([, difference, sentence]) => {
    expect(checkRelease({ ...READY, ...difference }).left.join()).toContain(sentence);
  });
});

test('copiedPaths is what a Containerfile takes from the clone, and not from another image', () => {
  const text = 'FROM a AS b\nCOPY package.json package-lock.json ./\nCOPY dist ./dist\nCOPY --from=b /dist ./dist\nRUN COPY x y\n';
  expect(copiedPaths(text)).toEqual(['package.json', 'package-lock.json', 'dist']);
});
