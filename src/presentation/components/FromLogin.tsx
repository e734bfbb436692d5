import type { ReactNode } from 'react';
import { usePart, type Parts } from '../parts/parts.ts';

interface Props {
  /** What is shown until the part is loaded. */
  readonly instead?: ReactNode;
  readonly children: (login: Parts['login']) => ReactNode;
}

/** Something of the login's part. When the part arrives, this alone is rendered, and not the screen around it. */
export function FromLogin({ instead = null, children }: Props) {
  const login = usePart('login');
  return login === null ? instead : children(login);
}
