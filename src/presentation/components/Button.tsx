import type { ReactNode } from 'react';
import type { Elements } from '../elements.ts';
import { LastUsed } from './FromLogin.tsx';
import { Icon } from './Icon.tsx';

interface Props {
  /** `danger` for actions that remove something: delete, revoke, sign out elsewhere. */
  readonly look: 'primary' | 'secondary' | 'link' | 'danger';
  readonly type?: 'button' | 'submit';
  /** Shows that the action is in progress. The button keeps its size and the focus, and ignores presses. */
  readonly busy?: boolean;
  /** Marked as disabled, but keeps the focus. Ignores presses. With `'heard'`, a press still submits the form, which can submit later. */
  readonly off?: boolean | 'heard';
  readonly onPress?: () => void;
  /** A small picture before the text. While the action is in progress, a progress indicator replaces it. */
  readonly mark?: Elements;
  /** Marks the last used login method on its button. */
  readonly isLast?: boolean;
  readonly children: ReactNode;
}

export function Button({ look, type = 'button', busy = false, off = false, onPress, mark, isLast, children }: Props) {
  const idle = !busy && !off;
  const text = <span>{children}</span>;
  return (
    <button
      // oxlint-disable-next-line react/button-has-type -- it is one of the two
      type={type}
      data-part={look === 'link' ? 'link-button' : 'button'}
      data-look={look}
      data-state={busy ? 'busy' : off ? 'off' : 'idle'}
      aria-busy={busy || undefined}
      aria-disabled={!idle || undefined}
      onClick={(event) => {
        if (idle) onPress?.();
        else if (off !== 'heard') event.preventDefault();
      }}
    >
      {mark && busy ? <Icon name="spinner" /> : mark}
      {busy && !mark ? (
        <span key="">
          <Icon name="spinner" />
          {text}
        </span>
      ) : (
        text
      )}
      {isLast && <LastUsed />}
    </button>
  );
}
