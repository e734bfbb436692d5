import { cleanup, render } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { INITIAL_STATE } from '#domain/screens/widget-state.ts';
import { Widget } from '#presentation/Widget.tsx';
import { EMAIL_OTP } from '../../gallery/fixtures.ts';
import { OTP_SCREEN, PlayedModel } from './show.tsx';
import { SOAK } from '../../soak.ts';

/** What is left behind at each time is seen after a few. */
const TIMES = SOAK ? 100 : 10;

afterEach(cleanup);

it('leaves no timer and no subscription behind, however often it comes and goes', () => {
  const toast = { id: 1, kind: 'error', error: null, text: null } as const;
  const model = new PlayedModel({ ...INITIAL_STATE, screen: OTP_SCREEN, toasts: [toast] });
  for (let time = 0; time < TIMES; time += 1) {
    const { unmount } = render(
      <StrictMode>
        <Widget model={model} config={EMAIL_OTP} />
      </StrictMode>,
    );
    expect(model.isWatched).toBe(true);
    unmount();
  }
  expect(model.clock.pending).toBe(0);
  expect(model.isWatched).toBe(false);
  expect(model.intents).toEqual([]);
});
