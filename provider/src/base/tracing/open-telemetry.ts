import { UsageError } from '../usage-error.ts';
import { RequestTracer } from './tracing.ts';

const PACKAGES = [
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/core',
];

export interface OpenTracing {
  readonly tracing: RequestTracer;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/**
 * Sends traces to a collector by OTLP over HTTP, configured by the `OTEL_…` variables. The packages are large, so operators install them
 * separately if they want traces.
 */
export async function openTelemetry(version: string): Promise<OpenTracing> {
  const [sdk, exporter, resources, core] = await packages();
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'portico-provider', 'service.version': version })
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  });
  const spans = {
    tracer: provider.getTracer('portico-provider', version),
    propagator: new core.W3CTraceContextPropagator(),
  };
  return { tracing: new RequestTracer(spans), close: () => provider.shutdown() };
}

async function packages() {
  try {
    return await Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
    ]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      `Traces need packages that are not installed: npm install ${PACKAGES.join(' ')}; or set PORTICO_OTEL=0.`,
    );
  }
}
