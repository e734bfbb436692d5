import { useEffect, useLayoutEffect } from 'react';

/**
 * An effect that moves the focus, or selects or writes a field. It runs before a person can see the change that caused it. After the paint,
 * it could take the focus from a person who is typing, or select a letter that the next one would replace. The refs of surrounding elements
 * may be empty. A server runs no effects, and React 18 logs a warning for a layout effect there.
 */
export const useBeforePaint = typeof window === 'undefined' ? useEffect : useLayoutEffect;
