/** What a release consists of, as texts. */
export type Release = {
  readonly manifest: {
    readonly name: string;
    readonly version: string;
    readonly repository: { readonly url: string };
    readonly homepage: string;
    readonly bugs: string;
    readonly publishConfig: { readonly access: string; readonly provenance: boolean };
  };
  /** Version of this package in package-lock.json. */
  readonly locked: string;
  readonly changelog: string;
  /** Shipped texts, by path. */
  readonly texts: Readonly<Record<string, string>>;
  /** Paths in the packed file, and its size unpacked in bytes. */
  readonly packed: { readonly paths: readonly string[]; readonly size: number };
  /** The file that the image is built from, and those of the paths that it copies that are not there. */
  readonly image: { readonly text: string; readonly missing: readonly string[] };
  /** The tag that is released, or undefined in a rehearsal without one. */
  readonly tag: string | undefined;
  /** Lines of `git status --porcelain`. */
  readonly changes: readonly string[];
};

const NEEDED = [
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'action.yml',
  'dist/src/cli/main.js',
  'dist/src/index.d.ts',
  'schemas/openapi.json',
];
/** Tests, secrets, and what only a clone has. */
const FORBIDDEN =
  /(?:^|\/)(?:node_modules|reports|test|bench|proof|corpora)\/|^dist\/src\/.*\.test\.|^dist\/suites\/.*\/.*\.test\.|(?:^|\/)\.env$|\.tgz$/;
const LARGEST = 5_000_000;
const PINNED_BASE = /^ARG BASE=\S+:\S+@sha256:[0-9a-f]{64}$/m;
const PLACEHOLDER = /\/\/(?:[\w.-]*\.)?example\.com\//;

type Check = (release: Release) => string | undefined;

const CHECKS: readonly Check[] = [
  ({ manifest: { version } }) => (/^\d+\.\d+\.\d+$/.test(version) ? undefined : `the version ${version} is not three numbers`),
  ({ manifest: { version }, locked }) =>
    version === locked ? undefined : `package-lock.json has version ${locked}, package.json ${version}`,
  ({ manifest: { version }, tag }) =>
    tag === undefined || tag === `v${version}` ? undefined : `the tag is ${tag}, and the package v${version}`,
  ({ manifest: { version }, changelog }) => {
    const [, newest] = /^## (.+)$/m.exec(changelog) ?? [];
    return newest === version ? undefined : `the newest section of CHANGELOG.md is "${newest ?? 'none'}", and the package ${version}`;
  },
  ({ manifest: { name, version }, texts }) => {
    const others = Object.entries(texts).flatMap(([path, text]) =>
      [...text.matchAll(new RegExp(`${name}@([\\w.-]+)`, 'g'))]
        .filter(([, named]) => named !== version)
        .map(([spec]) => `${path}: ${spec}`),
    );
    return others.length === 0 ? undefined : `other versions are named: ${others.join(', ')}`;
  },
  ({ manifest: { publishConfig } }) =>
    publishConfig.provenance && publishConfig.access === 'public'
      ? undefined
      : 'publishConfig does not ask for provenance and public access',
  ({ manifest: { repository, homepage, bugs } }) => {
    const base = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
    return homepage.startsWith(base) && bugs.startsWith(base) ? undefined : `homepage and bugs are not those of the repository ${base}`;
  },
  ({ packed: { paths } }) => {
    const missing = NEEDED.filter((path) => !paths.includes(path));
    return missing.length === 0 ? undefined : `the package lacks ${missing.join(', ')}`;
  },
  ({ packed: { paths } }) => {
    const wrong = paths.filter((path) => FORBIDDEN.test(path));
    return wrong.length === 0 ? undefined : `the package holds ${wrong.slice(0, 5).join(', ')}`;
  },
  ({ image: { missing } }) => (missing.length === 0 ? undefined : `the image copies ${missing.join(', ')}, which is not there`),
  ({ image: { text } }) => (PINNED_BASE.test(text) ? undefined : 'the base of the image is not pinned by its digest'),
  ({ packed: { size } }) => (size <= LARGEST ? undefined : `the package has ${size} bytes, more than ${LARGEST}`),
];

/** Checks that a rehearsal may fail: they say what is left to do before a real release. */
const LAST_CHECKS: readonly Check[] = [
  ({ manifest: { repository } }) =>
    PLACEHOLDER.test(repository.url) ? 'the repository is a placeholder: npm pkg set repository.url, homepage and bugs' : undefined,
  ({ changes }) => (changes.length === 0 ? undefined : `${changes.length} files are not committed`),
  ({ tag }) => (tag === undefined ? 'there is no tag: git tag v<version>' : undefined),
];

/** What a Containerfile copies from the clone. */
export function copiedPaths(containerfile: string): readonly string[] {
  return [...containerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
}

const problems = (checks: readonly Check[], release: Release): readonly string[] =>
  checks.map((check) => check(release)).filter((problem) => problem !== undefined);

/** What keeps this from being released, and what is left to do at the end. */
export function checkRelease(release: Release): { readonly wrong: readonly string[]; readonly left: readonly string[] } {
  return { wrong: problems(CHECKS, release), left: problems(LAST_CHECKS, release) };
}
