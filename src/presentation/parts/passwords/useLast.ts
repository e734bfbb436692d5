import { useState } from 'react';

/** The value, or while there is none the last one since `kept`. */
export function useLast<T>(value: T | null, kept: boolean): T | null {
  const [last, setLast] = useState(value);
  const next = value ?? (kept ? last : null);
  if (next !== last) setLast(next);
  return next;
}
