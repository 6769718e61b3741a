-- name: erase_items
-- Destroy every item of a scope.
delete from items where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_operations
-- Destroy every operation id of a scope.
delete from operations where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_item_keys
-- Destroy the caller's ids of the items of a scope.
delete from item_keys where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_item_versions
-- Destroy what the items of a scope were before.
delete from item_versions where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_session_details
-- Destroy where the sessions of a scope come from.
delete from session_details where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: texts_of_versions
-- Read the words of what items of a scope were before.
select body, speaker from item_versions where tenant_id = :tenant and scope_id = :scope;

-- name: texts_of_versions_of_session
-- Read the words of what items of a session were before.
select body, speaker from item_versions
where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: texts_of_keys
-- Read the caller's ids of the items of a scope.
select key from item_keys where tenant_id = :tenant and scope_id = :scope;

-- name: erase_documents
-- Destroy every document of a scope.
delete from documents where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_document_passages
-- Destroy the passages of every document of a scope.
delete from document_passages where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: texts_of_documents
-- Read the words of every document of a scope.
select path, key, value from documents where tenant_id = :tenant and scope_id = :scope;

-- name: erase_attempts
-- Destroy every attempt record of a scope.
delete from attempts where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_usage
-- Destroy what the runs of a scope took.
delete from turn_usage where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_summaries
-- Destroy every summary of the sessions of a scope.
delete from summaries where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: texts_of_summaries
-- Read what stands for parts of the sessions of a scope.
select items from summaries where tenant_id = :tenant and scope_id = :scope;

-- name: erase_sessions
-- Destroy every session of a scope.
delete from sessions where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_notes
-- Destroy every note of a scope.
delete from notes where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_history
-- Destroy every ended version of the notes of a scope.
delete from note_history where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_profiles
-- Destroy every version of the profile of a scope.
delete from profiles where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_records
-- Destroy every record of a scope.
delete from records where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_events
-- Destroy the account of what happened in a scope.
delete from events where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_blocks
-- Destroy every packed passage of a scope.
delete from passage_blocks where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_scope
-- Destroy the row of a scope.
delete from scopes where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: texts_of_items
-- Read the words of every item of a scope.
select body, speaker from items where tenant_id = :tenant and scope_id = :scope;

-- name: texts_of_session
-- Read the words of every item of a session.
select body, speaker from items where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: texts_of_sessions
-- Read what people named the sessions of a scope.
select name, title, metadata from sessions where tenant_id = :tenant and scope_id = :scope;

-- name: texts_of_notes
-- Read the words of every note of a scope.
select text, keywords, metadata, key, context, speaker from notes where tenant_id = :tenant and scope_id = :scope;

-- name: texts_of_history
-- Read the words of every ended version of the notes of a scope.
select note from note_history where tenant_id = :tenant and scope_id = :scope;

-- name: texts_of_profiles
-- Read every version of the profile of a scope.
select fields from profiles where tenant_id = :tenant and scope_id = :scope;

-- name: texts_of_records
-- Read every record of a scope.
select value from records where tenant_id = :tenant and scope_id = :scope;

-- name: texts_of_plans
-- Read the plans of a scope, which quote the notes that they change.
select plan_id, plan, before from plans where tenant_id = :tenant and scope_id = :scope;

-- name: erase_plan
-- Destroy one plan.
delete from plans where tenant_id = :tenant and scope_id = :scope and plan_id = :plan;

-- name: erase_plans
-- Destroy every plan of a scope.
delete from plans where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_leases
-- Take back whatever work was taken in a scope.
delete from leases where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_counters
-- Destroy the counts of a scope.
delete from counters where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_spend
-- Destroy the account of what models took in a scope.
delete from spend where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_agents
-- Destroy the specs of every agent of a tenant.
delete from agents where tenant_id = :tenant returning 1;

-- name: erase_agents_of
-- Destroy the specs of the agents that one user owns.
delete from agents where tenant_id = :tenant and owner = :owner returning 1;

-- name: erase_answered
-- Forget which requests of a tenant were answered.
delete from answered_requests where tenant_id = :tenant returning 1;

-- name: erase_under_way
-- Forget what is under way in a tenant.
delete from work_under_way where tenant_id = :tenant returning 1;

-- name: erase_visits
-- Forget which visits of a tenant were ended.
delete from ended_visits where tenant_id = :tenant returning 1;

-- name: erase_answered_to
-- Forget which requests of one caller were answered.
delete from answered_requests where tenant_id = :tenant and caller = :caller returning 1;

-- name: erase_workspace_segments
-- Destroy what the runs in the workspaces of a scope said and did.
delete from workspace_segments where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_workspace_rollouts
-- Destroy what was made of the conversations of a scope's workspaces.
delete from workspace_rollouts where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_workspace_files
-- Destroy what was written into the files of a scope's workspaces.
delete from workspace_files where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_workspace_places
-- Destroy where the files of a scope's workspaces lie.
delete from workspace_places where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: texts_of_workspace_segments
-- Read what the runs in the workspaces of a scope said and did.
select line from workspace_segments where tenant_id = :tenant and scope_id = :scope;

-- name: texts_of_workspace_rollouts
-- Read what was made of the conversations of a scope's workspaces.
select summary, raw from workspace_rollouts where tenant_id = :tenant and scope_id = :scope;

-- name: texts_of_workspace_files
-- Read what was written into the files of a scope's workspaces.
select workspace, path, content from workspace_files where tenant_id = :tenant and scope_id = :scope;

-- name: workspace_places
-- Find where the files of a scope's workspaces lie.
select workspace, directory from workspace_places where tenant_id = :tenant and scope_id = :scope;

-- name: every_agent
-- List the agents of a tenant with their owners.
select owner, name, created_at from agents where tenant_id = :tenant order by owner, name;

-- name: specs_of_agents
-- Read the specs of a tenant's agents, and since when they stand.
select owner, name, spec, updated_at from agents where tenant_id = :tenant order by owner, name;

-- name: reword_agent
-- Put another spec in the place of an agent's.
update agents set spec = :spec, revision = revision + 1, updated_at = :now
where tenant_id = :tenant and owner = :owner and name = :name;

-- name: specs_of_teams
-- Read the specs of a tenant's teams, and since when they stand.
select owner, name, spec, updated_at from team_specs where tenant_id = :tenant order by owner, name;

-- name: reword_team
-- Put another spec in the place of a team's.
update team_specs set spec = :spec, revision = revision + 1, updated_at = :now
where tenant_id = :tenant and owner = :owner and name = :name;

-- name: shares_owned
-- Find the pools and teams that somebody owns.
select kind, name from shares where tenant_id = :tenant and owner = :owner order by kind, name;

-- name: erase_agent
-- Destroy the spec of one agent.
delete from agents where tenant_id = :tenant and owner = :owner and name = :name;

-- name: every_caller
-- List who made requests that were answered.
select distinct caller from answered_requests where tenant_id = :tenant order by caller;

-- name: erase_answered_before
-- Forget which requests of one caller were answered up to an instant.
delete from answered_requests where tenant_id = :tenant and caller = :caller and at <= :at returning 1;

-- name: erase_webhook_messages
-- Forget which messages came into a scope by webhooks.
delete from webhook_messages where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_messages_of_session
-- Forget which messages came into a session by webhooks.
delete from webhook_messages where tenant_id = :tenant and scope_id = :scope and session = :session returning 1;

-- name: erase_task_results
-- Destroy how the runs of tasks in a scope ended.
delete from task_results where tenant_id = :tenant and scope_id = :scope returning text;

-- name: erase_deliveries
-- Destroy the news of a scope, told or not.
delete from deliveries where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: erase_deliveries_of_note
-- Destroy the news of a note, told or not.
delete from deliveries where tenant_id = :tenant and scope_id = :scope and note_id = :note returning 1;

-- name: erase_event_marks
-- Forget up to where a scope was listened to.
delete from event_marks where tenant_id = :tenant and scope_id = :scope returning 1;

-- name: every_webhook
-- List the webhooks of a tenant.
select webhook_id, principal, agent_owner, spec, created_at from webhooks where tenant_id = :tenant order by webhook_id;

-- name: every_task
-- List the tasks of a tenant.
select task_id, principal, agent_owner, spec, created_at from tasks where tenant_id = :tenant order by task_id;

-- name: every_subscription
-- List the subscriptions of a tenant.
select subscription_id, principal, url, spec, created_at from subscriptions
where tenant_id = :tenant order by subscription_id;

-- name: erase_webhook
-- Destroy one webhook.
delete from webhooks where tenant_id = :tenant and webhook_id = :number;

-- name: erase_task
-- Destroy one task.
delete from tasks where tenant_id = :tenant and task_id = :number;

-- name: erase_subscription
-- Destroy one subscription.
delete from subscriptions where tenant_id = :tenant and subscription_id = :number;

-- name: erase_job
-- Give up the job of a task that is no more.
delete from jobs where tenant_id = :tenant and name = :name;

-- name: erase_deliveries_to
-- Destroy the news for one who is no more.
delete from deliveries where tenant_id = :tenant and target = :target returning 1;

-- name: erase_jobs
-- Give up every job of a tenant.
delete from jobs where tenant_id = :tenant returning 1;

-- name: erase_all_deliveries
-- Destroy the news that are left of a tenant.
delete from deliveries where tenant_id = :tenant returning 1;

-- name: erase_all_marks
-- Forget up to where the scopes of a tenant were listened to.
delete from event_marks where tenant_id = :tenant returning 1;

-- name: erase_team_specs
-- Destroy the specs of the teams of a tenant.
delete from team_specs where tenant_id = :tenant returning 1;

-- name: erase_team_specs_of
-- Destroy the specs of the teams that one user owns.
delete from team_specs where tenant_id = :tenant and owner = :owner returning 1;

-- name: every_team_spec
-- List the specs of the teams of a tenant with their owners.
select owner, name, created_at from team_specs where tenant_id = :tenant order by owner, name;

-- name: erase_team_spec
-- Destroy the spec of a team.
delete from team_specs where tenant_id = :tenant and owner = :owner and name = :name;

-- name: items_holding
-- Find the items of a scope that may hold a text.
-- param: pattern str
select session_id, seq, body from items
where tenant_id = :tenant and scope_id = :scope and body like :pattern escape '!';

-- name: rollouts_of_scope
-- Read what was made of the conversations of a scope's workspaces, with where it belongs.
select workspace, rollout, summary, raw from workspace_rollouts where tenant_id = :tenant and scope_id = :scope;

-- name: reword_rollout
-- Put other words in the place of what was made of a conversation.
update workspace_rollouts set summary = :summary, raw = :raw
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and rollout = :rollout;

-- name: reword_file
-- Put other words in the place of what was written into a file.
update workspace_files set content = :content
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and path = :path;

-- name: segments_of_scope
-- Read the conversations of a scope's workspaces, with where each part belongs.
select workspace, rollout, seq, line from workspace_segments where tenant_id = :tenant and scope_id = :scope;

-- name: reword_segment
-- Put other words in the place of a part of a conversation.
update workspace_segments set line = :line, digest = :digest
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and rollout = :rollout and seq = :seq;

-- name: erase_grants_to
-- Take back whatever was granted to one addressee.
delete from grants where tenant_id = :tenant and grantee = :grantee returning 1;

-- name: erase_grants
-- Take back every grant of a tenant.
delete from grants where tenant_id = :tenant returning 1;

-- name: erase_shares
-- Unregister every pool and team of a tenant.
delete from shares where tenant_id = :tenant returning 1;

-- name: every_grant
-- List whatever was granted in a tenant.
select kind, name, grantee, created_at from grants where tenant_id = :tenant order by kind, name, grantee;

-- name: scopes_with_times
-- List every scope of a tenant, with when it was made.
select scope_id, kind, owner, name, user_id, session, revision, created_at from scopes
where tenant_id = :tenant
order by kind, owner, name, user_id, session;

-- name: erase_grant
-- Take back the rights of one grantee on a pool or a team.
delete from grants where tenant_id = :tenant and kind = :kind and name = :name and grantee = :grantee;

-- name: shares_with_times
-- List the pools and the teams of a tenant, with when they were registered.
select kind, name, created_at from shares where tenant_id = :tenant order by kind, name;

-- name: erase_share
-- Unregister a pool or a team.
delete from shares where tenant_id = :tenant and kind = :kind and name = :name;

-- name: sessions_with_times
-- List the sessions of a scope, with when they were made.
select name, created_at from sessions where tenant_id = :tenant and scope_id = :scope order by session_id;

-- name: texts_of_keys_of_session
-- Read the caller's ids of the items of a session.
select key from item_keys where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: texts_of_summaries_of_session
-- Read what stands for parts of a session.
select items from summaries where tenant_id = :tenant and scope_id = :scope and session_id = :session;
