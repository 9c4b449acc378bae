/**
 * The requests to Linear, in GraphQL. The tests check them against its published schema. Every text is a variable,
 * never a part of an operation.
 */

export const OPERATIONS = {
  look: `query Look($issue: String!, $marker: String!) {
  issue(id: $issue) {
    id
    team { id states(first: 250) { nodes { id name } } }
    state { id name }
    labels(first: 250) { nodes { id } }
    comments(first: 1, filter: { body: { contains: $marker } }) { nodes { id } }
    children(first: 1, includeArchived: true, filter: { description: { contains: $marker } }) { nodes { id } }
  }
}`,
  findLabel: `query FindLabel($name: String!) {
  issueLabels(first: 250, filter: { name: { eqIgnoreCase: $name } }) { nodes { id team { id } } }
}`,
  createLabel: `mutation CreateLabel($input: IssueLabelCreateInput!) {
  issueLabelCreate(input: $input) { success issueLabel { id } }
}`,
  change: `mutation Change($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success }
}`,
  link: `mutation Link($input: AttachmentCreateInput!) {
  attachmentCreate(input: $input) { success }
}`,
  comment: `mutation Comment($input: CommentCreateInput!) {
  commentCreate(input: $input) { success }
}`,
  rewrite: `mutation Rewrite($id: String!, $input: CommentUpdateInput!) {
  commentUpdate(id: $id, input: $input) { success }
}`,
  createIssue: `mutation CreateIssue($input: IssueCreateInput!) {
  issueCreate(input: $input) { success }
}`,
} as const
