import type { BodyFor, Endpoint, ReplyFor } from '../api/index.ts';
import { isAuthError } from '../../domain/errors.ts';
import type { RiskSignals, Signals } from './risk-signals.ts';
import type { WireClient } from './wire-client.ts';

type Risky = Endpoint<string, Signals>;

/** Calls endpoints that take a captcha token and a telemetry id (specification, sections 4 and 8). */
export class RiskyCall {
  constructor(
    private readonly wire: WireClient,
    private readonly signals: RiskSignals,
  ) {}

  /** Like `WireClient.call`. When the server asks for a captcha, repeats the call once with a new captcha token and telemetry id. */
  async call<E extends Risky>(
    endpoint: E,
    body: Omit<BodyFor<E>, 'captcha_token' | 'dfp_telemetry_id'>,
  ): Promise<ReplyFor<E>> {
    const send = async (signals: object): Promise<ReplyFor<E>> =>
      (await this.wire.call(endpoint, { ...body, ...signals })) as ReplyFor<E>;
    try {
      return await send(await this.signals.usual());
    } catch (error) {
      const asked = isAuthError(error) && error.kind === 'unreachable' && error.reason === 'captcha-required';
      if (!asked) throw error;
      return send(await this.signals.full());
    }
  }
}
