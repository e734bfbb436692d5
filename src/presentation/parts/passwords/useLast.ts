import { useState } from 'react';

/** The value; while it is null and `kept` is true, the last value that was not null. */
export function useLast<T>(value: T | null, keepsLast: boolean): T | null {
  const [last, setLast] = useState(value);
  const next = value ?? (keepsLast ? last : null);
  if (next !== last) setLast(next);
  return next;
}
