import type { ReactNode } from 'react';
import { usePart, type Parts } from '../parts/parts.ts';

interface Props {
  /** The content until the part is loaded. */
  readonly instead?: ReactNode;
  readonly children: (login: Parts['login']) => ReactNode;
}

/** A component of the login's part. When the part arrives, only this component is rendered, not the screen around it. */
export function FromLogin({ instead = null, children }: Props) {
  const login = usePart('login');
  return login === null ? instead : children(login);
}
