import type { Bootstrap } from '#domain/project/bootstrap.ts';
import type { EndpointOptions } from '#domain/project/endpoints.ts';
import { telemetryOrigins } from '#domain/project/telemetry-origins.ts';
import { isAuthError } from '#domain/errors.ts';
import type { BodyFor, Endpoint, ReplyFor } from '../api/index.ts';
import type { CaptchaPort, DeviceTelemetryPort } from '../ports/index.ts';
import { SharedCalls } from './shared-calls.ts';
import type { CallOptions, WireClient } from './wire-client.ts';

/** The signals that are sent with a risky request. */
export interface Signals {
  readonly captcha_token?: string | undefined;
  readonly dfp_telemetry_id?: string | undefined;
}

/** The source of the project's settings. */
interface ProjectSource {
  bootstrap(): Promise<Bootstrap>;
}

/** The settings of the captcha and device-telemetry services. */
export interface RiskSettings extends EndpointOptions {
  readonly publicToken: string;
  /** False turns device telemetry off: its script is not loaded. */
  readonly telemetry: boolean;
}

/**
 * Captcha and device telemetry by the project's mode (specification, section 4): DECISIONING sends only the telemetry id, OBSERVATION sends
 * both, and without the feature only a captcha token is sent. A signal that cannot be obtained is left out. The server decides whether to
 * accept the request without it.
 */
export class RiskSignals {
  constructor(
    private readonly project: ProjectSource,
    private readonly captcha: CaptchaPort,
    private readonly telemetry: DeviceTelemetryPort,
    private readonly options: RiskSettings,
  ) {}

  /** The signals that the project's mode requires for every risky request. */
  async usual(): Promise<Signals> {
    const { dfpProtectedAuthEnabled, dfpProtectedAuthMode } = await this.project.bootstrap();
    if (!dfpProtectedAuthEnabled) return { captcha_token: await this.captchaToken() };
    if (dfpProtectedAuthMode === 'DECISIONING') return { dfp_telemetry_id: await this.telemetryId() };
    return this.full();
  }

  /** New values of both signals, for a server that requires a captcha. */
  async full(): Promise<Signals> {
    const [captcha_token, dfp_telemetry_id] = await Promise.all([this.captchaToken(), this.telemetryId()]);
    return { captcha_token, dfp_telemetry_id };
  }

  private async captchaToken(): Promise<string | undefined> {
    const { captcha } = await this.project.bootstrap();
    if (!captcha.enabled || captcha.siteKey === null) return undefined;
    return (await this.captcha.token(captcha.siteKey)) ?? undefined;
  }

  private async telemetryId(): Promise<string | undefined> {
    const { dfpProtectedAuthEnabled } = await this.project.bootstrap();
    if (!dfpProtectedAuthEnabled || !this.options.telemetry) return undefined;
    const { cdn, submit } = telemetryOrigins(this.options);
    const settings = { publicToken: this.options.publicToken, cdnOrigin: cdn, submitOrigin: submit };
    const id = await this.telemetry.id(settings);
    return id ?? undefined;
  }
}

type Risky = Endpoint<string, Signals>;

/** Calls endpoints that take a captcha token and a telemetry id (specification, sections 4 and 8). */
export class RiskyCall {
  private readonly shared = new SharedCalls();

  constructor(
    private readonly wire: WireClient,
    private readonly signals: RiskSignals,
  ) {}

  /** For a call that sends a captcha token in every mode, such as the start of a wallet login (specification, section 7). */
  async callWithCaptcha<E extends Risky>(endpoint: E, body: Omit<BodyFor<E>, keyof Signals>): Promise<ReplyFor<E>> {
    return this.send(endpoint, body, undefined, () => this.signals.full());
  }

  /** Like `WireClient.call`. If the server requires a captcha, repeats the call once with a new captcha token and telemetry id. */
  async call<E extends Risky>(
    endpoint: E,
    body: Omit<BodyFor<E>, keyof Signals>,
    options?: CallOptions,
  ): Promise<ReplyFor<E>> {
    return this.send(endpoint, body, options, () => this.signals.usual());
  }

  private async send<E extends Risky>(
    endpoint: E,
    body: Omit<BodyFor<E>, keyof Signals>,
    options: CallOptions | undefined,
    first: () => Promise<Signals>,
  ): Promise<ReplyFor<E>> {
    const send = async (signals: object): Promise<ReplyFor<E>> =>
      (await this.wire.call(endpoint, { ...body, ...signals }, options)) as ReplyFor<E>;
    // Only from here on, because each of two equal calls would otherwise wait for a separate captcha token.
    return this.shared.share(endpoint, body, async () => {
      try {
        return await send(await first());
      } catch (error) {
        const needsCaptcha = isAuthError(error) && error.kind === 'unreachable' && error.reason === 'captcha-required';
        if (!needsCaptcha) throw error;
        return send(await this.signals.full());
      }
    });
  }
}
