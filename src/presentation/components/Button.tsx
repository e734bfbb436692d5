import type { ReactNode } from 'react';
import type { Elements } from '../elements.ts';
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
  /** A small picture before the text. While the action is in progress, the mark of progress replaces it. */
  readonly mark?: Elements;
  /** A sign beside the text. */
  readonly badge?: Elements;
  readonly children: ReactNode;
}

export function Button({ look, type = 'button', busy = false, off = false, onPress, mark, badge, children }: Props) {
  const idle = !busy && !off;
  const spins = busy && !mark;
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
      {spins || badge ? (
        // Of another key, because the text moves into an element of its own.
        <span key="beside">
          {spins && <Icon name="spinner" />}
          <span>{children}</span>
          {badge}
        </span>
      ) : (
        <span>{children}</span>
      )}
    </button>
  );
}
