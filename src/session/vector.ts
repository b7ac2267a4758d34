// A request as a row: each dimension names one value, and each value says what it does to the bytes.

/** One header field. Its name is written as it is sent. */
export type Header = readonly [name: string, value: string];

/** The bytes of a request, and how they travel. */
export type Sent = {
  readonly method: 'GET' | 'POST';
  /** Path and query, relative to the base address. */
  readonly target: string;
  /** In order. Host, Content-Length and Transfer-Encoding are the client's. */
  readonly headers: readonly Header[];
  readonly body: Uint8Array | undefined;
  readonly framing: Framing;
  readonly connection: ConnectionUse;
};

/** `chunked`: without a Content-Length. `divided`: in two pieces, the second one a moment after the first. */
export type Framing = 'length' | 'chunked' | 'divided';
/** `kept`: one that others have used and will use. `fresh`: for this request alone. `young`: for this one and the next one, in turn. */
export type ConnectionUse = 'kept' | 'fresh' | 'young';

/** `read`: for any service at any time. `intrusive`: the key is in a place other than the Authorization header. `write`: may leave an animal. */
export type Effect = 'read' | 'intrusive' | 'write';

/** The letter case of plain names where the service requires it: otherwise, words begin with a capital. */
export type LetterCase = 'lower' | 'upper';

export type ComposeContext = {
  readonly apiKey: string;
  readonly seed: number;
  readonly rowNumber: number;
  /** Up to five letters that no other run has. */
  readonly runTag: string;
  readonly letterCase?: LetterCase | undefined;
  /** A category that the service accepts. */
  readonly categoryId: bigint;
  /** Ids of animals, in the order of the first list, then of creation. */
  readonly knownIds: readonly bigint[];
  /** Cookies that responses to the API key have set, as `name=value`. */
  readonly cookies: readonly string[];
};

export type MakeInput = ComposeContext & {
  /** A plain name that no other row has. */
  readonly plainName: string;
  /** Numbers in [0, 1) that follow from the seed, the row, and the dimension. */
  readonly random: () => number;
};

export type Value<Part> = {
  readonly make: (making: MakeInput) => Part;
  readonly effect: Effect;
  /** One edit away from the API key: a bounded list, which production sees by consent only. */
  readonly nearMiss?: true;
  /** The version of the suite that first sent it. */
  readonly since: string;
};

export type Values<Part> = Readonly<Record<string, Value<Part>>>;

/** Several values of a table that travel together, by name. */
export type Pack = readonly string[];
export type ValueName = string | number | Pack;

/** How values of a table travel together. */
export type Packing<Part> = {
  join(parts: readonly Part[], making: MakeInput): Part;
  /** What a value needs for itself: two that need the same have no room in one request. */
  takes?(part: Part): readonly string[];
};

/** All values of one dimension. */
export type Table<Part> = {
  /** The value of rows that name none. */
  readonly usual: string;
  readonly values: Values<Part>;
  /** The value of a number, or of a text that begins with an equals sign, which it gets without that sign. */
  readonly drawn?: (drawn: string | number) => Value<Part>;
  /** Undefined where a request has room for one value. */
  readonly packing?: Packing<Part>;
};

/** What is sent instead of the key, or as well. */
export type CredentialPart = {
  readonly headers: readonly Header[];
  readonly query?: string;
  readonly members?: readonly Member[];
};

/** Headers that replace those of the same name, and names of headers that are left out, in lower case. */
export type ClientPart = { readonly headers?: readonly Header[]; readonly without?: readonly string[] };

/** Other parameters, as raw text around `limit` and `status`. */
export type ParametersPart = { readonly before?: string; readonly after?: string };

/** One member of a JSON object: its name and its value as JSON texts. */
export type Member = readonly [name: string, value: string];

/** Members in front of the documented ones, and after them. */
export type MembersPart = { readonly before?: readonly Member[]; readonly after?: readonly Member[] };

/** The texts of a body, for shapes that are made of them. */
export type BodyTexts = { readonly object: string; readonly name: string; readonly categoryId: string };

/** The dimensions of each operation, with what a value of each contributes. */
export type SharedTables = {
  readonly credential: Table<CredentialPart>;
  readonly client: Table<ClientPart>;
  readonly fields: Table<(headers: readonly Header[]) => readonly Header[]>;
  readonly connection: Table<ConnectionUse>;
  /** Spells the path of the operation. */
  readonly path: Table<(path: string) => string>;
};
export type ListTables = SharedTables & {
  /** The text after `limit=`, percent-encoded; undefined for no such parameter. */
  readonly limit: Table<string | undefined>;
  /** The text after `status=`. */
  readonly status: Table<string | undefined>;
  readonly parameters: Table<ParametersPart>;
  /** From the two pairs, as far as they are there, to the query. */
  readonly query: Table<(pairs: readonly string[]) => string>;
};
export type GetTables = SharedTables & {
  /** The last segment of the path, percent-encoded. */
  readonly id: Table<string>;
  readonly parameters: Table<ParametersPart>;
};
export type CreateTables = SharedTables & {
  /** JSON texts; undefined leaves the member out. */
  readonly name: Table<string | undefined>;
  readonly category: Table<string | undefined>;
  readonly status: Table<string | undefined>;
  /** Other members; a function of the texts of name and categoryId. */
  readonly members: Table<(texts: Omit<BodyTexts, 'object'>) => MembersPart>;
  readonly order: Table<(members: readonly Member[]) => readonly Member[]>;
  readonly escapes: Table<(member: Member) => Member>;
  readonly space: Table<(members: readonly Member[]) => string>;
  /** From the object to the body; undefined for no body. */
  readonly shape: Table<(texts: BodyTexts) => string | Uint8Array | undefined>;
  /** The Content-Type; undefined for none. */
  readonly type: Table<string | undefined>;
  readonly framing: Table<Framing>;
  readonly parameters: Table<ParametersPart>;
};
export type Tables = { readonly list: ListTables; readonly get: GetTables; readonly create: CreateTables };

export type RowOperation = keyof Tables;

type VectorOf<Op extends RowOperation> = { readonly op: Op } & { readonly [Dimension in keyof Tables[Op]]?: ValueName } & {
  /** A request that is written out, as JSON (raw.ts): nothing else decides about its bytes. */
  readonly raw?: string;
};

/** The names of the values of a request. It never contains the key. */
export type Vector = VectorOf<'list'> | VectorOf<'get'> | VectorOf<'create'>;
