import type { Bootstrap } from '../../domain/bootstrap.ts';
import { telemetryOrigins, type EndpointOptions } from '../../domain/endpoints.ts';
import type { CaptchaPort, DeviceTelemetryPort } from '../ports/index.ts';

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
 * Captcha and device telemetry by the project's mode (specification, section 4): DECISIONING sends only the telemetry id,
 * OBSERVATION sends both, and without the feature only a captcha token is sent. A signal that cannot be obtained is left out; the
 * server decides whether to accept the request without it.
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

  /** New values of both signals, for when the server asks for a captcha. */
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
