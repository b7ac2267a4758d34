import type { Fingerprint } from './fingerprint.ts';

export const aws: readonly Fingerprint[] = [
  {
    product: 'AWS API Gateway',
    writer: "AWS API Gateway's gateway responses",
    source: 'docs.aws.amazon.com, Gateway responses for REST APIs in API Gateway',
    advice: 'Define gateway responses (DEFAULT_4XX, DEFAULT_5XX, UNAUTHORIZED, ...) with a body template of code, message and status',
    matches: ({ members, header }) =>
      (members === 'message' || members === 'Message') &&
      (header('x-amzn-errortype') !== undefined || header('x-amz-apigw-id') !== undefined || header('apigw-requestid') !== undefined),
  },
  {
    product: 'AWS Application Load Balancer',
    writer: "the load balancer's own responses",
    source: 'docs.aws.amazon.com, Troubleshoot your Application Load Balancers',
    advice: 'Return an Error body by a fixed-response rule: such a request reached no target',
    matches: ({ header }) => header('server') === 'awselb/2.0',
  },
];
