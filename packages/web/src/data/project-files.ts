// Paths of project files from the root, to show and copy. Never sent to the server.

export const environmentFile = (api: string, environment: string): string =>
  `apis/${api}/environments/${environment}.json`

export const requestFile = (api: string, resource: string, request: string): string =>
  `apis/${api}/requests/${resource}/${request}.json`

export const workflowFile = (workflow: string): string => `apis/workflow/${workflow}.json`
