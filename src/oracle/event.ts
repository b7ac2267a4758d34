import { type PetView, petView, petViews } from '../schema/pet.ts';
import { type Answer, asReceived, type Exchange, type Intent } from '../wire/exchange.ts';

/** The complete response of an exchange; undefined without one. */
function answerIn({ outcome }: Exchange): Answer | undefined {
  return outcome.kind === 'answered' ? outcome.answer : undefined;
}

/** By the items of a list: equal bodies are read once, and so are their animals. */
const readable = new WeakMap<readonly (PetView | undefined)[], readonly PetView[]>();

/** The items of a list that can be read as animals. */
function readableIn(items: readonly (PetView | undefined)[]): readonly PetView[] {
  const known = readable.get(items) ?? items.filter((pet) => pet !== undefined);
  readable.set(items, known);
  return known;
}

/** The animals that a list of success shows, as far as they can be read; undefined where nothing can be read as a list. */
function petsIn({ request: { intent } }: Exchange, read: Answer | undefined): readonly PetView[] | undefined {
  if (intent.operation !== 'listPets' || read?.status !== 200 || !read.json.ok || !Array.isArray(read.json.value)) return undefined;
  return readableIn(petViews(read.json.value));
}

/** The animal that a read or a creation of success shows, as far as it can be read. */
function petIn({ request: { intent } }: Exchange, read: Answer | undefined): PetView | undefined {
  const { operation } = intent;
  if (operation === 'listPets' || read?.status !== (operation === 'getPet' ? 200 : 201) || !read.json.ok) return undefined;
  return petView(read.json.value);
}

/** One exchange of the history, read once. Rules of form judge the letter, all others what can be read of it. */
export type Event = {
  readonly exchange: Exchange;
  readonly number: number;
  readonly intent: Intent;
  /** The part of a clause that sent it. */
  readonly asker: string | undefined;
  /** Milliseconds since the run began. */
  readonly sent: number;
  readonly done: number;
  /** The response to the letter; undefined without a complete one. */
  readonly answer: Answer | undefined;
  /** Its status, to the letter. */
  readonly status: number | undefined;
  /** The animals of a list, as read. */
  readonly pets: readonly PetView[] | undefined;
  /** The animal of a read or a creation, as read. */
  readonly pet: PetView | undefined;
};

const events = new WeakMap<Exchange, { readonly outcome: Exchange['outcome']; readonly event: Event }>();

/** The exchange as rules look at it: it is read with all that the run has learned by then of how the service writes responses, and once until it learns more. */
export function eventOf(exchange: Exchange): Event {
  const { outcome } = exchange;
  const known = events.get(exchange);
  if (known?.outcome === outcome) return known.event;
  const event = readEvent(exchange);
  events.set(exchange, { outcome, event });
  return event;
}

/** What the request means: a client that a service may reject is like any other once it is accepted. */
function meantBy({ intent }: Exchange['request'], status = 0): Intent {
  return intent.onceAccepted !== undefined && status >= 200 && status < 300 ? { ...intent, credential: intent.onceAccepted } : intent;
}

function readEvent(exchange: Exchange): Event {
  const { number, request, timings } = exchange;
  const answer = answerIn(asReceived(exchange));
  const read = answerIn(exchange);
  return {
    ...{ exchange, number, intent: meantBy(request, answer?.status), asker: request.asker, answer, status: answer?.status },
    ...{ sent: timings.startedAt, done: timings.startedAt + timings.duration },
    ...{ pets: petsIn(exchange, read), pet: petIn(exchange, read) },
  };
}

/** Whether the response is read as the document words it although it is worded otherwise. */
export function isReadThrough({ exchange, answer }: Event): boolean {
  return answerIn(exchange) !== answer;
}
