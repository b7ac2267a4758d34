// Values that are made when they are first asked for, and kept.

export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Makes a value at the first call with each key; by default, what is given is the key itself. */
export function oncePer<Given, Value>(
  make: (given: Given) => Value,
  keyOf: (given: Given) => unknown = (given) => given,
): (given: Given) => Value {
  const made = new Map<unknown, () => Value>();
  return (given) => {
    const key = keyOf(given);
    const known = made.get(key) ?? once(() => make(given));
    made.set(key, known);
    return known();
  };
}

/** Makes a value at the first call with each object, and keeps it as long as the object. */
export function oncePerObject<Given extends object, Value>(make: (given: Given) => Value): (given: Given) => Value {
  const made = new WeakMap<Given, () => Value>();
  return (given) => {
    const known = made.get(given) ?? once(() => make(given));
    made.set(given, known);
    return known();
  };
}
