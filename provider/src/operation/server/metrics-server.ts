import type { RequestListener } from 'node:http';
import type { Health } from '../health/health.ts';
import { withHealth } from '../health/listener.ts';
import { NO_METRICS, type Metrics } from '#provider/base/metrics/metrics.ts';
import { PrometheusMetrics, type MetricsSource } from '#provider/base/metrics/prometheus.ts';
import { CHANNELS } from '#provider/messages/channel.ts';
import { listen } from './listen.ts';
import { urlOf, type CliOptions } from '../options/options.ts';

export interface MetricsServer {
  readonly metrics: Metrics;
  /** The address of `/metrics`; absent if it is not served. */
  readonly url?: string;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` and the health checks at a separate address, so that a proxy in front of the server cannot publish them by accident.
 * Without an address nothing is measured.
 */
export async function measuringAt(
  address: CliOptions['metrics'],
  measured: Omit<MetricsSource, 'channels'>,
  health: Pick<Health, 'closing' | 'failing'>,
): Promise<MetricsServer> {
  if (address === null) return { metrics: NO_METRICS, close: () => Promise.resolve() };
  const metrics = new PrometheusMetrics({ ...measured, channels: CHANNELS });
  return { metrics, ...(await serveMetrics(address, metrics, health)) };
}

/** Serves the text of these metrics. */
export async function serveMetrics(
  address: NonNullable<CliOptions['metrics']>,
  metrics: Pick<PrometheusMetrics, 'text'>,
  health: Pick<Health, 'closing' | 'failing'>,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const answer: RequestListener = ({ method, url }, response) => {
    if (method !== 'GET' || url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      ({ type, body }) => response.writeHead(200, { 'Content-Type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  };
  const listening = await listen(withHealth(health, answer), address.host, address.port, {
    options: { host: 'metricsHost', port: 'metricsPort' },
  });
  return { url: `${urlOf(address.host, listening.port)}/metrics`, close: () => listening.close() };
}
