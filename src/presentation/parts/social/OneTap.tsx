import { useEffect, useRef, type RefObject } from 'react';
import { INITIAL_ONE_TAP_HEIGHT, observeHeight, settlingTime, type OneTapFault } from '#domain/social/one-tap.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Icon } from '../../components/Icon.tsx';
import type { Elements } from '../../elements.ts';

/** The remedies for a prompt that does not show. Only test projects show these texts, in English like the docs. */
const FAULT_TEXTS: Readonly<Record<OneTapFault, string>> = {
  oauth_config_not_found:
    'Google is not set up for this project. Turn it on among the OAuth providers and give it a client ID.',
  no_signup_redirect_urls_set:
    'The project has no sign-up redirect URL. Register one, or pass oauthOptions.signupRedirectURL.',
  no_login_redirect_urls_set:
    'The project has no login redirect URL. Register one, or pass oauthOptions.loginRedirectURL.',
  unregistered_origin:
    'Google does not know the origin of this page. Add it to the authorized JavaScript origins of the client ID.',
  invalid_client: 'Google does not know the client ID of this project. Check it in the OAuth settings.',
  user_cancel:
    'The prompt was closed in this browser before, and Google does not show it again for a while. A private window shows it.',
};

interface Props {
  readonly index: number;
  readonly state: ScreenState;
  /** The plain button, shown whenever there is no prompt in this place. */
  readonly button: Elements;
}

/** Makes the frame as tall as the prompt in it, once the prompt's height has settled (specification, section 9). */
function useHeight(frame: RefObject<HTMLDivElement | null>, place: RefObject<HTMLDivElement | null>, isShown: boolean) {
  const { clock } = useWidget().model;
  useEffect(() => {
    const [outer, inner] = [frame.current, place.current];
    if (!isShown || outer === null || inner === null || typeof ResizeObserver === 'undefined') return undefined;
    let observation = INITIAL_ONE_TAP_HEIGHT;
    let forget = (): void => undefined;
    const take = (): void => {
      observation = observeHeight(observation, inner.scrollHeight);
      outer.style.setProperty('--p-one-tap', `${observation.height}px`);
    };
    const observer = new ResizeObserver(() => {
      forget();
      const ms = settlingTime(observation);
      if (ms === 0) take();
      else forget = clock.after(ms, take);
    });
    observer.observe(inner);
    return () => {
      forget();
      observer.disconnect();
      outer.style.removeProperty('--p-one-tap');
    };
  }, [frame, place, isShown, clock]);
}

/** Google's prompt, or the plain button. In a test project, it also shows the developer why there is no prompt. */
export function OneTap({ index, state, button }: Props) {
  const { model, config, t } = useWidget();
  const { oneTap } = state;
  const frame = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const id = useOwnId();
  const floating = config.oauthOptions?.providers[index]?.position === 'floating';
  const isShown = oneTap.status === 'rendered' && oneTap.place === 'embedded';
  const waiting =
    oneTap.status === 'leaving' ||
    (!floating && (oneTap.status === 'idle' || (oneTap.status === 'pending' && oneTap.floats !== true)));
  useHeight(frame, place, isShown);

  useEffect(() => {
    if (model.getState().oneTap.status === 'idle') {
      // Google's script searches the document, and so does not find an element in a shadow root.
      const found = place.current?.getRootNode() === document;
      model.send({ type: 'oneTap/requested', index, parentId: found ? id : null });
    }
    return () => model.send({ type: 'oneTap/removed' });
  }, [model, index, id]);

  const fault = oneTap.status === 'refused' ? oneTap.fault : null;
  return (
    <>
      <div ref={frame} data-part="one-tap-frame" data-state={isShown ? 'shown' : 'empty'}>
        <div ref={place} id={id} data-part="one-tap-place" />
      </div>
      {waiting && (
        <output data-part="one-tap-wait">
          <Icon name="spinner" />
          <span>{t('loading')}</span>
        </output>
      )}
      {!waiting && !isShown && button}
      {fault !== null && (
        <p data-part="fault" lang="en" dir="ltr">
          <strong>{`Google One Tap: ${fault}.`}</strong>
          <span>{` ${FAULT_TEXTS[fault]} Only test projects show this.`}</span>
        </p>
      )}
    </>
  );
}
