import { type Machine, type Measurement, spreadOf, type Table } from '../../bench/measure.ts';
import type { Judged } from './judge-server.ts';
import type { Peer, Verdict } from './peer.ts';
import type { Results } from './results.ts';

/** The input of the page and its data. */
export type PeerFigures = {
  readonly registered: { readonly faults: number; readonly variants: number };
  readonly results: readonly Results[];
};

const OURS = 'run-standard';

const count = (rows: readonly Judged[], kind: Judged['kind'], verdict?: Verdict): number =>
  rows.filter((one) => one.kind === kind && (verdict === undefined || one.verdict === verdict)).length;

const percent = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${part} of ${whole} (${Math.round((part / whole) * 100)} %)`;

const median = (rows: readonly Judged[], of: (one: Judged) => number): number => spreadOf(rows.map(of)).median;

/** A row of the main table. Times are those of conforming servers: on a broken one, most programs end early. */
function rowOf(peers: readonly Peer[], { peer, version, date, plain, judged }: Results): readonly (string | number)[] {
  const title = peers.find(({ name }) => name === peer)?.title ?? peer;
  const timed = judged.filter(({ processor }) => processor > 0);
  return [
    title,
    version,
    date.slice(0, 10),
    percent(count(judged, 'fault', 'failed'), count(judged, 'fault')),
    percent(count(judged, 'variant', 'failed'), count(judged, 'variant')),
    percent(count(judged, 'grid', 'failed'), count(judged, 'grid')),
    judged.filter(({ verdict }) => verdict === 'undecided').length,
    plain.requests,
    (median(timed, ({ processor }) => processor) / 1_000).toFixed(2),
    (median(judged, ({ milliseconds }) => milliseconds) / 1_000).toFixed(1),
  ];
}

/** Whether the server is broken, by a fault or by a defect of the grid. */
const isBroken = ({ kind }: Judged): boolean => kind === 'fault' || kind === 'grid';

/** What a program finds that another one does not find on the same servers. */
function onlyBy(one: Results, other: Results): readonly string[] {
  const missed = new Set(other.judged.filter((one) => isBroken(one) && one.verdict !== 'failed').map(({ name }) => name));
  return one.judged.filter((server) => isBroken(server) && server.verdict === 'failed' && missed.has(server.name)).map(({ name }) => name);
}

function sharedWith(one: Results, other: Results): number {
  const names = new Set(other.judged.filter(isBroken).map(({ name }) => name));
  return one.judged.filter((server) => isBroken(server) && names.has(server.name)).length;
}

function differences(peers: readonly Peer[], results: readonly Results[]): Table | undefined {
  const ours = results.find(({ peer }) => peer === OURS);
  if (ours === undefined) return undefined;
  return {
    title: 'Server by server, against `run --depth standard`',
    columns: ['program', 'broken servers that both judged', 'found by `run` alone', 'found by the program alone'],
    rows: results
      .filter(({ peer }) => !peer.startsWith('run-'))
      .map((other) => [
        peers.find(({ name }) => name === other.peer)?.title ?? other.peer,
        sharedWith(other, ours),
        onlyBy(ours, other).length,
        onlyBy(other, ours).join(', ') || 'none',
      ]),
    notes: ['What another program finds and `run` does not is a defect of `run`.'],
  };
}

function configurations(peers: readonly Peer[], results: readonly Results[]): Table {
  return {
    title: 'How each is configured, and where it is the better choice',
    columns: ['program', 'configuration', 'the better choice'],
    rows: peers
      .filter(({ name }) => results.some(({ peer }) => peer === name))
      .map(({ name, title, configuration, better }) => [title, `${configuration} (\`corpora/peers/${name.replace(/-.*/, '')}/\`)`, better]),
  };
}

const ABOUT = ({ registered }: PeerFigures): readonly string[] => [
  `What other programs find in the servers that our own proof is made of: ${registered.faults} faults that break a required or implied clause, and ${registered.variants} variants, which conform and differ only where the interface leaves it open.`,
  '**The registry is ours, and that favors us.** Each fault was written to prove a check of ours, and each variant taught us what not to fail. The other programs see both for the first time. No figure here says how good a program is at another API.',
  'Servers of the grid favor nobody: each has one defect, a condition and an effect that a seed has drawn, of which a plain client sees something.',
  'A fault is found where the program ends with a failure, whatever it says. A variant is wrongly failed where it does; many variants reject what the schema allows and the document leaves open, such as a taken name or an unknown category, and programs that know the schema alone fail these. `No verdict` counts servers on which the program gave up, crashed, or had no time left. Every configuration passes the reference server without faults. Where a program takes long it judges a sample, drawn by the hash of the names, so that a smaller sample is part of each larger one.',
  'The plans by hand for Hurl, k6, Respect, and Prism come from an author who knows the interface, and took less than an hour each; they assume a service that knows category 1. With more hours they find more; that work is what a conformance suite saves. Requests are those to the reference server. Processor time is the median over all servers judged, of the program alone; time also counts what else the machine did.',
];

/** The page and the data of a measurement, from the results of all programs. */
export function measurementOf(peers: readonly Peer[], figures: PeerFigures, machine: Machine): Measurement {
  const ordered = peers.flatMap(({ name }) => figures.results.filter(({ peer }) => peer === name));
  const more = differences(peers, ordered);
  return {
    name: 'peers',
    title: 'What other programs find',
    command: 'npm run -w corpora peers',
    about: ABOUT(figures),
    machine,
    versions: { node: process.versions.node },
    tables: [
      {
        title: 'Found, and wrongly failed',
        columns: [
          'program',
          'version',
          'judged on',
          'faults found',
          'variants wrongly failed',
          'grid: found',
          'no verdict',
          'requests',
          'processor (s)',
          'time (s)',
        ],
        rows: ordered.map((results) => rowOf(peers, results)),
        notes: [
          'Shares of a few servers say little: 7 of 7 found still fits a program that finds two thirds. `npm run -w corpora peers -- --add` judges more servers and keeps these.',
        ],
      },
      ...(more === undefined ? [] : [more]),
      configurations(peers, ordered),
    ],
    figures,
  };
}
