import { element, writeXml, type XmlElement } from '../../report/xml.ts';
import { type AlertEvent, eventId, subjectOf } from '../alerts/event.ts';
import { type Change, describeChange, describePublicly, keyOf, labelOf } from '../changes/change.ts';
import { iso } from '../text.ts';
import type { MonitorView } from '../view.ts';

export type FeedOptions = { readonly target: string | undefined; readonly public: boolean; readonly address: string | undefined };

const LONGEST_TEXT = 1_000;

type Entry = { readonly id: string; readonly target: string; readonly title: string; readonly text: string; readonly at: number };

const urn = (...parts: readonly string[]): string => `urn:petstore-probe:${parts.map(encodeURIComponent).join(':')}`;

function ofAlert(event: AlertEvent, options: FeedOptions): Entry {
  const { clause, reason, summary, at } = event;
  const target = subjectOf(event);
  const about = [clause, reason].filter((one) => one !== null).join(', ');
  return {
    id: urn('alert', eventId(event)),
    target,
    title: `${target}: ${event.status}${about === '' ? '' : ` (${about})`}`,
    text: options.public ? about : summary,
    at: Date.parse(at),
  };
}

function ofChange(change: Change, options: FeedOptions): Entry {
  const text = options.public ? describePublicly(change) : describeChange(change);
  return {
    id: urn('change', change.target, keyOf(change), change.what, iso(change.since)),
    target: change.target,
    title: `${change.target}: ${labelOf(change.kind)} ${change.what}`,
    text: `${text}, since ${iso(change.since)}`,
    at: change.at,
  };
}

function entryElement({ id, title, text, at, target }: Entry, { address, public: hidden }: FeedOptions): XmlElement {
  const query = new URLSearchParams({ target, ...(hidden ? { public: '' } : {}) });
  return element(
    'entry',
    {},
    element('id', {}, id),
    element('title', {}, title),
    element('updated', {}, iso(at)),
    element('summary', {}, text.slice(0, LONGEST_TEXT)),
    ...(address === undefined ? [] : [element('link', { href: `${address}/?${String(query)}` })]),
  );
}

/** Alerts and changes as an Atom feed (RFC 4287), newest first. */
export function feedOf({ alerts, changes, startedAt }: MonitorView, options: FeedOptions): string {
  const events = [...alerts.map((event) => ofAlert(event, options)), ...changes.map((change) => ofChange(change, options))];
  const entries = events.filter(({ target }) => options.target === undefined || target === options.target).toSorted((a, b) => b.at - a.at);
  return writeXml(
    element(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom' },
      element('id', {}, urn('feed', options.target ?? '')),
      element('title', {}, options.target === undefined ? 'Pet store probe' : `Pet store probe: ${options.target}`),
      element('updated', {}, iso(entries[0]?.at ?? startedAt)),
      element('author', {}, element('name', {}, 'petstore-conformance')),
      ...(options.address === undefined ? [] : [element('link', { href: `${options.address}/` })]),
      ...entries.map((entry) => entryElement(entry, options)),
    ),
  );
}
