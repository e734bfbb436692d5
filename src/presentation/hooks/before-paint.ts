import { useEffect, useLayoutEffect } from 'react';

/**
 * An effect that moves the focus, or selects or writes a field. It runs before a person can see the change that caused it: after the
 * paint, it would take the focus from a person who types, or select a letter that the next one replaces. The refs of elements around the
 * component may be empty. A server runs no effects, and React 18 logs a warning for a layout effect there.
 */
export const useBeforePaint = typeof window === 'undefined' ? useEffect : useLayoutEffect;
