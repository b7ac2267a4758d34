// Values that are made when they are first asked for, and kept.

export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type Made<Key, Value> = { get(key: Key): { readonly value: Value } | undefined; set(key: Key, made: { readonly value: Value }): unknown };

function keptIn<Key, Given, Value>(made: Made<Key, Value>, key: Key, given: Given, make: (given: Given) => Value): Value {
  const known = made.get(key);
  if (known !== undefined) return known.value;
  const value = make(given);
  made.set(key, { value });
  return value;
}

/** Makes a value at the first call with each key; by default, what is given is the key itself. */
export function oncePer<Given, Value>(
  make: (given: Given) => Value,
  keyOf: (given: Given) => unknown = (given) => given,
): (given: Given) => Value {
  const made = new Map<unknown, { readonly value: Value }>();
  return (given) => keptIn(made, keyOf(given), given, make);
}

/** Makes a value at the first call with each object, and keeps it as long as the object. */
export function oncePerObject<Given extends object, Value>(make: (given: Given) => Value): (given: Given) => Value {
  const made = new WeakMap<Given, { readonly value: Value }>();
  return (given) => keptIn(made, given, given, make);
}
