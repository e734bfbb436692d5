import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type ComponentPropsWithoutRef,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { codeLoad } from '#domain/code-loads.ts';
import { endsSession } from '#domain/sessions/session.ts';
import { ConsoleLog } from '#infrastructure/browser/console-log.ts';
import type { StringOverrides } from '#presentation/messages/catalogue.ts';
import { userButton as ENGLISH } from '#presentation/messages/en/user-button.ts';
import type { SignOutTexts } from '#presentation/parts/user-button/sign-out-texts.ts';
import { useClient, useForget, useSession } from './react-client.tsx';
import { usePropWarnings, type PropTable } from './react-props.ts';

/** The options of `useSignOut`. */
export interface SignOutOptions {
  /** Ends the session in this browser even if the server cannot be reached. Default: false. */
  readonly forceClear?: boolean | undefined;
  /** Called when this hook has signed the user out, but not when another tab did. */
  readonly onSignedOut?: (() => void) | undefined;
}

/** The result of `useSignOut`. */
export interface SignOutState {
  /**
   * Ends the session, in all tabs. Resolves with true once the user is signed out, and with false if that failed. It never rejects. A call
   * during another one returns the other one's result.
   */
  readonly signOut: () => Promise<boolean>;
  /** False while there is no client: on a server, and until React has taken over the server's HTML. */
  readonly isReady: boolean;
  readonly isPending: boolean;
  /** The error of the last call; null if it succeeded, and during a call. */
  readonly error: unknown;
}

/** Signs out, for a custom button or menu. Safe on a server. Throws outside of a provider. */
export function useSignOut({ forceClear = false, onSignedOut }: SignOutOptions = {}): SignOutState {
  const client = useClient();
  const forget = useForget();
  const running = useRef<Promise<boolean>>(null);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const run = useCallback(async (): Promise<boolean> => {
    setPending(true);
    setError(null);
    try {
      if (client === null) throw new Error('There is no client yet: give <PorticoProvider> a PorticoUIClient.');
      await client.session.revoke({ forceClear });
    } catch (reason) {
      // If another tab has ended the session, the goal is reached.
      if (client === null || !(forceClear || endsSession(reason))) {
        setError(reason);
        return false;
      }
    } finally {
      setPending(false);
    }
    forget();
    try {
      onSignedOut?.();
    } catch (cause) {
      log.error('onSignedOut threw.', cause);
    }
    return true;
  }, [client, forceClear, forget, onSignedOut]);

  const signOut = useCallback((): Promise<boolean> => {
    if (running.current === null) {
      running.current = run().finally(() => {
        running.current = null;
      });
    }
    return running.current;
  }, [run]);
  return { signOut, isReady: client !== null, isPending, error };
}

/** The props of `SignOutButton`: those of a `<button>`, and these. */
export interface SignOutButtonProps extends Omit<ComponentPropsWithoutRef<'button'>, 'type'>, SignOutOptions {
  /** The label. Default: the text `user.signOut`. */
  readonly children?: ReactNode;
  /** Texts that replace `user.signOut` and `user.failed` of the catalogue. */
  readonly strings?: StringOverrides | undefined;
  /** The language of the texts. The default is `en`; `auto` uses the language of the page, else the browser's. */
  readonly language?: string | undefined;
}

/** Without those of a `<button>`, and without unknown names, about which React itself warns. */
type OwnProps = Omit<SignOutButtonProps, keyof ComponentPropsWithoutRef<'button'>>;
const OWN_PROPS: PropTable<OwnProps> = {
  forceClear: ['boolean'],
  onSignedOut: ['function'],
  strings: ['object'],
  language: ['string'],
};

/**
 * A plain button that signs the user out in all tabs, styled by your page. Shows nothing while nobody is signed in, and until the session
 * is known. In a server's HTML it is disabled until the page can sign out. A failure is shown after the button, in a `<span role="alert">`.
 * An `onClick` that calls `preventDefault()` keeps the session.
 */
export function SignOutButton(props: SignOutButtonProps): ReactNode {
  const { session } = useSession();
  const { forceClear, onSignedOut, strings, language } = props;
  usePropWarnings<OwnProps>('SignOutButton', { forceClear, onSignedOut, strings, language }, OWN_PROPS);
  // A new session begins without the failure of the previous one.
  return session === null ? null : <Button key={session.session_id} {...props} />;
}

function Button({
  forceClear,
  onSignedOut,
  strings,
  language,
  children,
  onClick,
  disabled = false,
  ...attributes
}: SignOutButtonProps): ReactNode {
  const { signOut, isReady, isPending, error } = useSignOut({ forceClear, onSignedOut });
  const texts = useTexts(language);
  const label = children ?? ownText(strings, 'user.signOut');
  if (label === null && texts === null) return null;
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    if (isPending) return;
    onClick?.(event);
    if (!event.defaultPrevented) void signOut();
  };
  const failure = ownText(strings, 'user.failed');
  return (
    <>
      {/* Not `disabled` while it runs, because that would lose the focus. */}
      <button
        {...(label === null && speech(texts))}
        aria-disabled={isPending || undefined}
        aria-busy={isPending || undefined}
        {...attributes}
        type="button"
        disabled={disabled || !isReady}
        onClick={press}
      >
        {label ?? texts?.signOut}
      </button>
      {error !== null && (
        <span role="alert" {...(failure === null && speech(texts))}>
          {failure ?? (texts ?? IN_ENGLISH).failed}
        </span>
      )}
    </>
  );
}

const IN_ENGLISH: SignOutTexts = {
  lang: 'en',
  dir: 'ltr',
  signOut: ENGLISH['user.signOut'],
  failed: ENGLISH['user.failed'],
};
const log = new ConsoleLog(globalThis);

/** The page's text, or null. It does not use the widgets' catalogue, which pages with only hooks do not load. */
function ownText(strings: StringOverrides | undefined, key: keyof typeof ENGLISH): string | null {
  const text: unknown = strings?.[key];
  return typeof text === 'string' ? text : null;
}

/** The attributes of an element with a text of the catalogue. */
function speech(texts: SignOutTexts | null): Pick<SignOutTexts, 'lang' | 'dir'> {
  const { lang, dir } = texts ?? IN_ENGLISH;
  return { lang, dir };
}

/** The texts of the language; null while they are loading. */
function useTexts(language: string | undefined): SignOutTexts | null {
  const isEnglish = language === undefined || language === 'en';
  const [loaded, setLoaded] = useState<SignOutTexts | null>(null);
  useEffect(() => {
    if (isEnglish) return undefined;
    let isGone = false;
    const load = async (): Promise<void> => {
      try {
        const { signOutTexts } = await codeLoad(import('#presentation/parts/user-button/sign-out-texts.ts'));
        const texts = await signOutTexts(language, (message) => log.warn(message));
        if (!isGone) setLoaded(texts);
      } catch {
        if (!isGone) setLoaded(IN_ENGLISH);
      }
    };
    void load();
    return () => {
      isGone = true;
    };
  }, [isEnglish, language]);
  return isEnglish ? IN_ENGLISH : loaded;
}
