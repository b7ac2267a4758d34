import type { OpenSession } from '../../session/open-session.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Impression } from './change.ts';
import { animalValue } from './describe-change.ts';

/** The number of a target's animals that are tracked from run to run. */
const MOST_ANIMALS = 8;
const LONGEST = 100;
const ANNOUNCEMENTS = ['deprecation', 'sunset'] as const;

type Announcement = (typeof ANNOUNCEMENTS)[number];

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text);

/** The number of animals in a list without parameters. */
function listedIn({ request: { intent }, outcome }: Exchange): number | undefined {
  const { operation, status, credential, undocumented } = intent;
  if (operation !== 'listPets' || status !== 'absent' || credential !== 'valid' || undocumented === true) return undefined;
  if (outcome.kind === 'failed' || outcome.answer.status !== 200) return undefined;
  const { json } = outcome.answer;
  return json.ok && Array.isArray(json.value) ? json.value.length : undefined;
}

function announcementsIn({ request: { intent }, outcome }: Exchange): Readonly<Record<Announcement, string>> | undefined {
  if (intent.operation !== 'getPet' || outcome.kind === 'failed' || outcome.answer.status !== 200) return undefined;
  const { headers } = outcome.answer;
  const headerOf = (wanted: Announcement): string => headers.find(([name]) => name === wanted)?.[1] ?? '';
  return { deprecation: headerOf('deprecation'), sunset: headerOf('sunset') };
}

/** Notes what later runs on the target may show differently, from the responses that the run gets anyway. */
export function watchRun({ recorder, session, redactText }: Pick<OpenSession, 'recorder' | 'session' | 'redactText'>): () => Impression[] {
  let listed: number | undefined;
  let announced: Readonly<Record<Announcement, string>> | undefined;
  recorder.onExchange((exchange) => {
    const count = listedIn(exchange);
    if (count !== undefined) listed = Math.max(listed ?? 0, count);
    announced = announcementsIn(exchange) ?? announced;
  });

  function animals(): Impression[] {
    // The lowest ids: the same ones in every run, whatever the order of the list.
    const known = [...session.knowledge.seen.values()].filter(({ gaps }) => gaps.length === 0);
    return known
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, MOST_ANIMALS)
      .map(({ id, name, categoryId }) => ({
        kind: 'animal',
        subject: String(id),
        value: animalValue({ name: name === undefined ? undefined : cut(redactText(name)), categoryId }),
      }));
  }

  return () => [
    ...(listed === undefined ? [] : [{ kind: 'list' as const, subject: 'animals', value: listed === 0 ? 'none' : 'some' }]),
    ...ANNOUNCEMENTS.flatMap((subject) =>
      announced === undefined ? [] : [{ kind: 'deprecation' as const, subject, value: cut(redactText(announced[subject])) }],
    ),
    ...animals(),
  ];
}
