import type { Elements } from '../elements.ts';
import { usePart, type Parts } from '../parts/parts.ts';

interface Props {
  /** The content until the part is loaded. */
  readonly instead?: Elements;
  readonly children: (login: Parts['login']) => Elements;
}

/** A component of the login's part. When the part arrives, only this component is rendered, not the screen around it. */
export function FromLogin({ instead = null, children }: Props) {
  const login = usePart('login');
  return login ? children(login) : instead;
}

/** Marks the last used login method. The code that reads it from storage is loaded together with the mark. */
export const LastUsed = () => <FromLogin>{(login) => <login.LastUsed />}</FromLogin>;
