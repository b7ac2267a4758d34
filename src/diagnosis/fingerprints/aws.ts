import type { Fingerprint } from './fingerprint.ts';
import { reasonPhrase, textMember } from './traces.ts';

export const aws: readonly Fingerprint[] = [
  {
    product: 'AWS API Gateway',
    writer: "AWS API Gateway's gateway responses",
    source: 'docs.aws.amazon.com, Gateway responses for REST APIs in API Gateway',
    advice: 'Define gateway responses (DEFAULT_4XX, DEFAULT_5XX, UNAUTHORIZED, ...) with a body template of code, message and status',
    // What the service itself writes passes with the id of the gateway, but without the type of an error.
    matches: ({ members, header }) => (members === 'message' || members === 'Message') && header('x-amzn-errortype') !== undefined,
  },
  {
    product: 'AWS API Gateway',
    writer: 'an HTTP API of AWS API Gateway',
    source: 'docs.aws.amazon.com, Choose between REST APIs and HTTP APIs and Create routes for HTTP APIs in API Gateway',
    advice:
      'Let the service respond to what the gateway rejects (a $default route, authorization in the service), or use a REST API: HTTP APIs have no gateway responses to define',
    // A service's own body may say the same; Echo's ends with a line feed.
    matches: (traces) =>
      traces.members === 'message' &&
      traces.header('apigw-requestid') !== undefined &&
      textMember(traces, 'message') === reasonPhrase(traces) &&
      !traces.text.endsWith('\n'),
  },
  {
    product: 'AWS Application Load Balancer',
    writer: "the load balancer's own responses",
    source: 'docs.aws.amazon.com, Troubleshoot your Application Load Balancers and Action types for listener rules',
    advice:
      'Look up the status in the list of errors that a load balancer generates; a fixed-response action can return an Error body as application/json',
    matches: ({ header }) => header('server') === 'awselb/2.0',
  },
];
